import { invalid, PalimpsestError } from "../errors/palimpsest-error.ts";
import type { Store, UnfinishedImport } from "../store/store.ts";
import { unfinishedId } from "../store/unfinished.ts";

/**
 * A thread that is being imported. It is written under an id of its own, and stays invisible until it is complete and gets its name in one
 * step. If another thread has taken the name meanwhile, that thread keeps it.
 */
export class ThreadImport {
  readonly #store: Store;
  readonly #thread: string;
  /** The temporary id. */
  readonly id: string;
  /** Another process has written the beginning. */
  readonly isResumed: boolean;

  private constructor(store: Store, thread: string, id: string, isResumed: boolean) {
    this.#store = store;
    this.#thread = thread;
    this.id = id;
    this.isResumed = isResumed;
  }

  static async begin(store: Store, thread: string): Promise<ThreadImport> {
    return new ThreadImport(store, thread, await store.beginImport(thread), false);
  }

  /** Continues an interrupted import. If that is still running in another process, it can write nothing more. */
  static async resume(store: Store, { id: before, thread }: UnfinishedImport): Promise<ThreadImport> {
    const id = unfinishedId(thread);
    if (!(await store.rename(before, id))) throw takenOver(thread);
    return new ThreadImport(store, thread, id, true);
  }

  /** Calls `write`, then gives the thread its name. If that fails, deletes what was written here; an import that another process began stays, to be resumed. */
  async complete<T>(write: (id: string) => Promise<T>): Promise<T> {
    try {
      const written = await write(this.id);
      if (!(await this.#store.rename(this.id, this.#thread))) throw await this.#whyUnnamed();
      return written;
    } catch (error) {
      if (!this.isResumed) await this.#giveUp();
      throw error;
    }
  }

  async #whyUnnamed(): Promise<PalimpsestError> {
    return (await this.#store.branches(this.#thread)).length > 0 ? threadThere(this.#store, this.#thread) : takenOver(this.#thread);
  }

  /** If even the deletion fails, the import is listed as unfinished. The first failure is the one reported. */
  async #giveUp(): Promise<void> {
    await this.#store.forget(this.id).catch(() => undefined);
  }
}

/** An import never writes to an existing thread. */
function threadThere(store: Store, thread: string): PalimpsestError {
  return new PalimpsestError("INVALID_INPUT", `There is already a thread ${JSON.stringify(thread)} in ${store.name}: nothing is written to it.`, {
    path: "thread",
    expected: "a thread without commits",
    found: thread,
    thread,
  });
}

export function takenOver(thread: string): PalimpsestError {
  return invalid("INVALID_INPUT", "thread", "an import that no other process has taken over or deleted", thread);
}
