import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { isRecord } from "../../../errors/is-record.ts";
import { openArchive } from "./archive.ts";
import { areUnchanged, type Container } from "./container.ts";
import { isValue, type FilePart } from "./file-part.ts";
import { parseJson, parseLine } from "./parse-part.ts";
import { peek, readBytes, type FileBytes, type OnProgress } from "./read-bytes.ts";
import { splitLines, type RawLine } from "./split-lines.ts";
import { unreadable } from "./unreadable.ts";
import { writeLines } from "./write-lines.ts";

const ZIP = Buffer.from("PK\u0003\u0004");
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** Enough to tell that a file is not text. */
const PEEK_BYTES = 512;
/** The number of lines used to detect the layout and format of a file. */
const MOST_FIRST_LINES = 256;
const MOST_FIRST_BYTES = 4 * 1024 * 1024;

/** Opens a file or stream and detects its layout. */
export async function openContainer(source: string | Readable, path: string, onProgress: OnProgress): Promise<Container> {
  const file = await readBytes(source, path, onProgress);
  try {
    return await containerOf(file, path);
  } catch (error) {
    file.close();
    throw error;
  }
}

async function containerOf(file: FileBytes, path: string): Promise<Container> {
  const { firstBytes, all } = await peek(file.chunks, PEEK_BYTES);
  if (firstBytes.subarray(0, ZIP.length).equals(ZIP)) return archiveContainer(path, Buffer.concat(await collect(all)));
  if (isBinary(firstBytes)) throw unreadable(path, "it is binary, or text in an encoding other than UTF-8");
  const mark = firstBytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : Buffer.alloc(0);
  const withMark = (bytes: Buffer): string | Uint8Array => textOrBytes(Buffer.concat([mark, bytes]));
  const text = withoutFirst(all, mark.length);
  const memory: ChunkMemory = { chunks: [], isOpen: true };
  const lines = splitLines(remembering(text, memory));
  const firstLines = (await readFirstLines(lines)).map(({ number, bytes }) => parseLine(number, bytes));
  if (firstLines.every((part) => part.kind === "skipped" && part.reason === undefined)) throw unreadable(path, "it is empty");
  if (!isLineByLine(firstLines)) return documentContainer(path, Buffer.concat([...memory.chunks, ...(await collect(text))]), withMark);
  memory.isOpen = false;
  memory.chunks.length = 0;
  return {
    path,
    isLines: true,
    firstParts: firstLines,
    parts: inTurn(firstLines, lines, file.close),
    write: (parts, values) => withMark(writeLines(parts, values)),
    close: file.close,
  };
}

/** Tells JSONL from a single document. Any line may be damaged, even the first; a line of a document is hardly ever a complete object. */
function isLineByLine(firstParts: readonly FilePart[]): boolean {
  const [first, ...others] = firstParts.filter((part) => part.kind === "value" || part.reason !== undefined);
  if (first?.kind === "value") return true;
  const records = others.filter((part) => part.kind === "value" && isRecord(part.value));
  return records.length > others.length / 2;
}

function documentContainer(path: string, bytes: Buffer, withMark: (bytes: Buffer) => string | Uint8Array): Container {
  const parsed = parseJson(bytes);
  if (!("value" in parsed)) {
    const { reason, line, offset } = parsed.fault;
    throw unreadable(path, `${reason} (line ${line})`, { line, offset });
  }
  const firstParts: readonly FilePart[] = [{ kind: "value", value: parsed.value, line: 1, place: "the document", bytes }];
  const write: Container["write"] = (parts, values) =>
    withMark(areUnchanged(parts, values) ? bytes : Buffer.from(writeDocument(bytes.toString("utf8"), values[0])));
  return { path, isLines: false, firstParts, parts: inTurn(firstParts), write, close: () => undefined };
}

/** Writes a JSON document with the indentation of the one that it replaces. */
function writeDocument(source: string, document: unknown): string {
  // The first line break shows the indentation. A document without a line break stays on one line.
  const indentation = /^\s*[[{]\r?\n([ \t]+)/.exec(source)?.[1];
  const ending = /\s*$/.exec(source)?.[0] ?? "";
  return JSON.stringify(document, null, indentation) + ending;
}

function archiveContainer(path: string, bytes: Buffer): Container {
  const { parts, write } = openArchive(path, bytes);
  if (!parts.some(isValue)) throw unreadable(path, parts[0]?.kind === "skipped" ? `${parts[0].reason}` : "it is empty");
  return { path, isLines: false, firstParts: parts, parts: inTurn(parts), write: (_, values) => write(values), close: () => undefined };
}

async function readFirstLines(lines: AsyncGenerator<RawLine, void>): Promise<RawLine[]> {
  const first: RawLine[] = [];
  for (let size = 0; first.length < MOST_FIRST_LINES && size < MOST_FIRST_BYTES;) {
    const next = await lines.next();
    if (next.done === true) break;
    first.push(next.value);
    size += next.value.bytes.length;
  }
  return first;
}

async function* inTurn(first: readonly FilePart[], rest: AsyncIterable<RawLine> | readonly RawLine[] = [], close?: () => void): AsyncGenerator<FilePart, void> {
  try {
    yield* first;
    for await (const { number, bytes } of rest) yield parseLine(number, bytes);
  } finally {
    close?.();
  }
}

/** JSON has no zero bytes, but a line that was being written during a crash may be full of them. */
function isBinary(firstBytes: Buffer): boolean {
  return firstBytes.includes(0) && !/^\s*[[{][^\0]/.test(firstBytes.toString("latin1"));
}

/** Keeps the chunks that were read during detection: a file that is not JSONL is read again as a whole. */
interface ChunkMemory {
  readonly chunks: Buffer[];
  isOpen: boolean;
}

async function* remembering(chunks: AsyncIterable<Buffer>, memory: ChunkMemory): AsyncGenerator<Buffer, void> {
  for await (const chunk of chunks) {
    if (memory.isOpen) memory.chunks.push(chunk);
    yield chunk;
  }
}

async function* withoutFirst(chunks: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer, void> {
  let left = bytes;
  for await (const chunk of chunks) {
    yield chunk.subarray(left);
    left = 0;
  }
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function textOrBytes(bytes: Buffer): string | Uint8Array {
  return isUtf8(bytes) ? bytes.toString("utf8") : bytes;
}
