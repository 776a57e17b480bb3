import { Option } from "commander";
import type { Readable } from "node:stream";
import { TRANSCRIPT_FORMATS } from "../formats/transcripts/transcript-formats.ts";

/** The file that a command reads: its path, or standard input for `-`. */
export function sourceOf(file: string): string | Readable {
  return file === "-" ? process.stdin : file;
}

export function formatOption(): Option {
  return new Option("--format <name>", "what kind of file it is, where that cannot be told from its content").choices(
    TRANSCRIPT_FORMATS.map(({ name }) => name),
  );
}
