import { Option } from "commander";
import type { Readable } from "node:stream";
import type { ReadOptions } from "../formats/transcripts/read-transcript.ts";
import { TRANSCRIPT_FORMATS } from "../formats/transcripts/transcript-formats.ts";
import { createProgress } from "./progress.ts";

/** The file that a command reads: its path, or standard input for `-`. */
export function sourceOf(file: string): string | Readable {
  return file === "-" ? process.stdin : file;
}

export function formatOption(): Option {
  return new Option("--format <name>", "what kind of file it is, where that cannot be told from its content").choices(
    TRANSCRIPT_FORMATS.map(({ name }) => name),
  );
}

/** Reads with the options of the command, and says how far it is. */
export async function reading<T>(format: string | undefined, read: (options: ReadOptions) => Promise<T>): Promise<T> {
  const progress = createProgress("Reading");
  const onProgress = (done: number, total?: number): void => {
    progress.report(done, total);
  };
  try {
    return await read({ onProgress, ...(format === undefined ? {} : { format }) });
  } finally {
    progress.end();
  }
}
