import { GrowingIndex, type LogIndex } from "./index-log.ts";
import type { Message } from "./message.ts";

/** Indexes a log again and again: while it goes on with the same messages, only what is new is read. */
export class LogIndexer {
  readonly #known: Message[] = [];
  #growing = new GrowingIndex(0);

  /** The index of this log, until another is asked for. */
  indexOf(log: readonly Message[]): LogIndex {
    if (!beginsWith(log, this.#known)) this.#forget(log.length);
    try {
      const index = this.#growing.extendTo(log);
      for (let position = this.#known.length; position < log.length; position++) this.#known.push(log[position] as Message);
      return index;
    } catch (error) {
      this.#forget(0);
      throw error;
    }
  }

  /** The length of the next log. */
  #forget(length: number): void {
    this.#known.length = 0;
    this.#growing = new GrowingIndex(length);
  }
}

function beginsWith(log: readonly Message[], known: readonly Message[]): boolean {
  if (log.length < known.length) return false;
  for (let position = 0; position < known.length; position++) if (log[position] !== known[position]) return false;
  return true;
}
