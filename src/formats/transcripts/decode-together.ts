import { parseMessages } from "../../messages/parse-messages.ts";
import type { Entry, RecordDecoder } from "./transcript-format.ts";

/**
 * Decodes all records of a document at its end, because the document is in memory anyway. Throws `INVALID_INPUT` if a record
 * lacks what a message needs.
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
