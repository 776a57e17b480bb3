import { invalid, PalimpsestError } from "../errors/palimpsest-error.ts";
import type { Store, UnfinishedImport } from "../store/store.ts";
import { unfinishedId } from "../store/unfinished.ts";

/**
 * A thread that is being imported. It is written under an id of its own, and nobody sees it until it is complete and gets its name, in one
 * step. Whoever has taken the name meanwhile keeps it.
 */
export class ThreadImport {
  readonly #store: Store;
  readonly #thread: string;
  /** What it is written under. */
  readonly id: string;
  /** Somebody else has written the beginning. */
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

  /** Goes on with one that was interrupted. Should it still run in another process, that one can write nothing more. */
  static async resume(store: Store, { id: before, thread }: UnfinishedImport): Promise<ThreadImport> {
    const id = unfinishedId(thread);
    if (!(await store.rename(before, id))) throw takenOver(thread);
    return new ThreadImport(store, thread, id, true);
  }

  /** Has it written, and gives it its name. If that fails, what was written here goes again; what somebody else began stays as it is, to be resumed. */
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

  /** Where not even that can be done, it is listed as unfinished. What went wrong first is what is told. */
  async #giveUp(): Promise<void> {
    await this.#store.forget(this.id).catch(() => undefined);
  }
}

/** An import never writes to a thread that is there. */
function threadThere(store: Store, thread: string): PalimpsestError {
  return new PalimpsestError("INVALID_INPUT", `There is a thread ${JSON.stringify(thread)} in ${store.name} already: nothing is written to it.`, {
    path: "thread",
    expected: "a thread without commits",
    found: thread,
    thread,
  });
}

export function takenOver(thread: string): PalimpsestError {
  return invalid("INVALID_INPUT", "thread", "an import that no other process has taken over or deleted", thread);
}
