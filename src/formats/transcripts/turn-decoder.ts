import { parseMessages } from "../../messages/parse-messages.ts";
import { nativesOf } from "../origin.ts";
import type { MessageEntry } from "./transcript-format.ts";

/**
 * Decodes messages as their records come: one is complete when the next begins. `decode` is asked anew for the records of
 * the last message, which are few. What it refuses is left out, so that reading can go on after it.
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

  /** The entries that are complete now. */
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
