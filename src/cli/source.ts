import { Option } from "commander";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import type { ReadOptions } from "../formats/transcripts/read-transcript.ts";
import { TRANSCRIPT_FORMATS } from "../formats/transcripts/transcript-formats.ts";
import type { CommandContext } from "./command-context.ts";
import { createProgress } from "./progress.ts";

const CHUNK_BYTES = 256 * 1024;

/** Help text for all commands that count the tokens of a file, as they all count in the same way. */
export const COUNTING = `Tokens are estimates of all messages, and of the system prompt and the tools if the file has them, in tokens of the named
model or, if none is named, of o200k. Messages are counted as the file counts them. inspect, compact and import count in the same way.`;

/** What a command reads a transcript from. */
export interface Source {
  readonly stream: Readable;
  /** What errors call it. */
  readonly name?: string;
  /** Undefined: unknown, as for a pipe. */
  readonly totalBytes?: number;
}

/** Returns the file that a command reads, or standard input for `-`. */
export async function sourceOf({ stdin, resolve }: CommandContext, file: string): Promise<Source> {
  if (file === "-") return { stream: stdin };
  const path = resolve(file);
  const totalBytes = await sizeOf(path);
  return { stream: Readable.from(bytesOf(path)), name: file, ...(totalBytes === undefined ? {} : { totalBytes }) };
}

/** Opens the file only when it is read, so that the reader gets the error if it cannot be opened. */
async function* bytesOf(path: string): AsyncGenerator<Buffer, void> {
  yield* createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>;
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.size : undefined;
  } catch {
    return undefined;
  }
}

export function formatOption(): Option {
  return new Option("--format <name>", "what kind of file it is, where that cannot be told from its content").choices(
    TRANSCRIPT_FORMATS.map(({ name }) => name),
  );
}

/** Reads with the options of the command, and shows progress. */
export async function reading<T>(
  { stderr }: CommandContext,
  { stream, name, totalBytes }: Source,
  format: string | undefined,
  read: (stream: Readable, options: ReadOptions) => Promise<T>,
): Promise<T> {
  const progress = createProgress("Reading", stderr);
  const onProgress = (done: number): void => {
    progress.report(done, totalBytes);
  };
  try {
    return await read(stream, { onProgress, ...(name === undefined ? {} : { name }), ...(format === undefined ? {} : { format }) });
  } finally {
    progress.end();
  }
}
