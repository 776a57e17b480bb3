import type { Edit } from "../../edits/edit.ts";
import { callAside } from "../../policy/call-aside.ts";
import type { PalimpsestError } from "../../errors/palimpsest-error.ts";

export interface ThreadEventMap {
  /** The next request's view has changed: edits were made, or undone. */
  "messages-updated": { readonly edits: readonly Edit[]; readonly undone: boolean };
  /** The model, or the caller, asked for an original. */
  recalled: { readonly handle: string };
  /** The model made a mistake in a call of `compact` or `recall`, or called a tool that the thread does not have, and was told so. */
  "call-refused": { readonly tool: string; readonly error: PalimpsestError };
  /** Only for a thread in a store: a change could not be written. It stays in memory, and the next change or `saved()` retries. */
  "save-failed": { readonly error: unknown };
}

/**
 * Calls listeners in the order in which they were added, once the change is complete, so they may use the thread. An error of a listener does not
 * affect the thread: it is thrown asynchronously.
 */
export class ThreadEvents {
  readonly #listeners = new Map<keyof ThreadEventMap, Set<(event: never) => void>>();
  #waiting: (() => void)[] | undefined;

  /** Returns a function that removes the listener. */
  on<K extends keyof ThreadEventMap>(name: K, listener: (event: ThreadEventMap[K]) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }

  emit<K extends keyof ThreadEventMap>(name: K, event: ThreadEventMap[K]): void {
    const call = (): void => {
      for (const listener of [...(this.#listeners.get(name) ?? [])]) callAside(listener as (event: ThreadEventMap[K]) => void, event);
    };
    if (this.#waiting === undefined) call();
    else this.#waiting.push(call);
  }

  /** Holds back events until the change is done. If it throws, nothing has changed, and they are dropped. */
  deferring<T>(change: () => T): T {
    if (this.#waiting !== undefined) return change();
    const waiting: (() => void)[] = [];
    this.#waiting = waiting;
    try {
      return change();
    } catch (error) {
      waiting.length = 0;
      throw error;
    } finally {
      this.#waiting = undefined;
      for (const call of waiting) call();
    }
  }
}
