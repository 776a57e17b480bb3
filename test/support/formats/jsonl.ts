import { Readable } from "node:stream";
import { loadTranscript, type Transcript } from "../../../src/formats/transcripts/load-transcript.ts";
import type { Message } from "../../../src/messages/message.ts";

function toLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

export function loadLines(records: readonly object[]): Promise<Transcript> {
  return loadTranscript(Readable.from([toLines(records)]));
}

/** The records of a file that `encode` gave. */
export function linesOf<R extends object>(content: string | Uint8Array): R[] {
  return String(content)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as R);
}

/** Without what decoded values remember under symbols. */
export function plain(log: readonly Message[] | undefined): unknown {
  return JSON.parse(JSON.stringify(log ?? null));
}
