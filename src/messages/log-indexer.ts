import { GrowingIndex, type LogIndex } from "./index-log.ts";
import type { Message } from "./message.ts";

/** Indexes a log repeatedly. While the log only grows, only new messages are read. */
export class LogIndexer {
  readonly #known: Message[] = [];
  #growing = new GrowingIndex(0);

  /** Returns the index of this log, which is valid until the next call. */
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

  /** `length`: the length of the next log. */
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
