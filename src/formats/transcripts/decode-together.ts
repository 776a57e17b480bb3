import { parseMessages } from "../../messages/parse-messages.ts";
import type { Entry, RecordDecoder } from "./transcript-format.ts";

/**
 * A document is in memory already: its records are decoded together, once the last is there. Throws `INVALID_INPUT` where
 * the file has something else than what a message needs.
 */
export function decodeTogether(decode: (records: readonly object[]) => readonly Entry[]): RecordDecoder {
  const records: object[] = [];
  return {
    push: (record) => {
      records.push(record);
      return [];
    },
    end: () => {
      const entries = decode(records);
      parseMessages(entries.flatMap((entry) => (entry.kind === "message" ? [entry.message] : [])));
      return entries;
    },
  };
}
