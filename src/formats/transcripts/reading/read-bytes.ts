import { open } from "node:fs/promises";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { PalimpsestError } from "../../../errors/palimpsest-error.ts";
import { unreadable, whyUnreadable } from "./unreadable.ts";

/** Reports progress in bytes of the file, before decompression. The total of a stream is unknown. */
export type OnProgress = (bytesRead: number, totalBytes?: number) => void;

export interface FileBytes {
  /** Decompressed. Can be read once. */
  readonly chunks: AsyncGenerator<Buffer, void>;
  /** Call it if you stop before the end. */
  readonly close: () => void;
}

const CHUNK_BYTES = 256 * 1024;
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Reads the bytes of a file or stream. Detects gzip by content, because names are often wrong. */
export async function readBytes(source: string | Readable, path: string, onProgress: OnProgress): Promise<FileBytes> {
  const { stream, totalBytes } = typeof source === "string" ? await openFile(source, path) : { stream: source, totalBytes: undefined };
  const raw = countBytes(stream, (bytesRead) => onProgress(bytesRead, totalBytes));
  return { chunks: explainFailures(unpack(raw), path), close: () => void stream.destroy() };
}

async function openFile(source: string, path: string): Promise<{ stream: Readable; totalBytes: number | undefined }> {
  try {
    const handle = await open(source);
    const stat = await handle.stat();
    // A pipe has no size.
    return { stream: handle.createReadStream({ highWaterMark: CHUNK_BYTES }), totalBytes: stat.isFile() ? stat.size : undefined };
  } catch (error) {
    throw unreadable(path, whyUnreadable(error), {}, error);
  }
}

async function* countBytes(stream: Readable, onRead: (bytesRead: number) => void): AsyncGenerator<Buffer, void> {
  let bytesRead = 0;
  for await (const chunk of stream as AsyncIterable<Buffer | string>) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    bytesRead += bytes.length;
    onRead(bytesRead);
    yield bytes;
  }
}

async function* unpack(chunks: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  const { firstBytes, all } = await peek(chunks, GZIP.length);
  if (!firstBytes.subarray(0, GZIP.length).equals(GZIP)) {
    yield* all;
    return;
  }
  const gunzip = createGunzip();
  // Errors of either stream reach the reader of `gunzip`.
  pipeline(Readable.from(all), gunzip, () => undefined);
  yield* gunzip as AsyncIterable<Buffer>;
}

/** Returns the first bytes (at least this many, if the file has them), and then all bytes, including these. */
export async function peek(chunks: AsyncGenerator<Buffer, void>, bytes: number): Promise<{ firstBytes: Buffer; all: AsyncGenerator<Buffer, void> }> {
  const first: Buffer[] = [];
  for (let length = 0; length < bytes;) {
    const next = await chunks.next();
    if (next.done === true) break;
    first.push(next.value);
    length += next.value.length;
  }
  const firstBytes = Buffer.concat(first);
  return { firstBytes, all: prepend(firstBytes, chunks) };
}

async function* prepend(firstBytes: Buffer, rest: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  if (firstBytes.length > 0) yield firstBytes;
  yield* rest;
}

async function* explainFailures(chunks: AsyncGenerator<Buffer, void>, path: string): AsyncGenerator<Buffer, void> {
  try {
    yield* chunks;
  } catch (error) {
    throw PalimpsestError.isInstance(error) ? error : unreadable(path, whyUnreadable(error), {}, error);
  }
}
