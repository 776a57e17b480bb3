import { parseMessages } from "../../messages/parse-messages.ts";
import { nativesOf } from "../origin.ts";
import type { MessageEntry } from "./transcript-format.ts";

/**
 * Decodes messages as their records arrive: one is complete when the next begins. `decode` runs again on the records of the
 * last message, which are few. Records that it refuses are skipped, so that reading can continue.
 */
export class TurnDecoder {
  readonly #decode: (records: readonly object[]) => readonly MessageEntry[];
  #records: readonly object[] = [];

  constructor(decode: (records: readonly object[]) => readonly MessageEntry[]) {
    this.#decode = (records) => {
      const entries = decode(records);
      parseMessages(entries.map((entry) => entry.message));
      return entries;
    };
  }

  /** Returns the entries that are complete now. */
  push(record: object): readonly MessageEntry[] {
    const records = [...this.#records, record];
    const entries = this.#decode(records);
    const last = entries.at(-1);
    this.#records = last === undefined ? [] : records.slice(-(nativesOf(last.message)?.length ?? 1));
    return entries.slice(0, -1);
  }

  end(): readonly MessageEntry[] {
    const entries = this.#decode(this.#records);
    this.#records = [];
    return entries;
  }
}
