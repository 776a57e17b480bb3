import type { Readable } from "node:stream";
import { invalid } from "../../errors/palimpsest-error.ts";
import { callback, oneOf, parseOptions, string, type FieldsOf } from "../../errors/parse-options.ts";
import { chooseFormat } from "./reading/choose-format.ts";
import type { Container } from "./reading/container.ts";
import { createEntryReader, type OnSections } from "./reading/entry-reader.ts";
import { openContainer } from "./reading/open-container.ts";
import type { FilePart } from "./reading/file-part.ts";
import type { OnProgress } from "./reading/read-bytes.ts";
import type { Entry, TranscriptFormat } from "./transcript-format.ts";
import { TRANSCRIPT_FORMATS } from "./transcript-formats.ts";

export interface ReadOptions {
  /** The name of a format, for a file that would be taken for another. */
  readonly format?: string;
  /** What errors call a stream. */
  readonly name?: string;
  readonly onProgress?: OnProgress;
}

/** What a transcript file says, in its order. */
export interface TranscriptReading {
  readonly format: TranscriptFormat;
  /**
   * To be read once. Lines are read as their entries are asked for, so that a long file needs little memory; whoever stops
   * earlier leaves the loop, which closes the file. Throws `UNREADABLE` or `FORMAT_MISMATCH` where reading cannot go on.
   */
  readonly entries: AsyncIterable<Entry>;
}

/** Reads a transcript from a path or a stream: any format of the table, packed with gzip or not. */
export async function readTranscript(source: string | Readable, options: ReadOptions = {}): Promise<TranscriptReading> {
  const { container, format } = await openTranscript(source, options);
  return { format, entries: entriesIn(container, format) };
}

async function* entriesIn(container: Container, format: TranscriptFormat): AsyncGenerator<Entry, void> {
  for await (const { entries } of readEntries(container, format, () => undefined)) yield* entries;
}

export async function openTranscript(source: string | Readable, options: ReadOptions): Promise<{ container: Container; format: TranscriptFormat }> {
  const { format, name = "the stream", onProgress = () => undefined } = parseOptions(options, "options", optionFields());
  if (typeof source !== "string" && typeof (source as Partial<Readable> | null | undefined)?.pipe !== "function")
    throw invalid("INVALID_INPUT", "source", "a path or a stream", source);
  const container = await openContainer(source, typeof source === "string" ? source : name, onProgress);
  try {
    return { container, format: chooseFormat(container, format) };
  } catch (error) {
    container.close();
    throw error;
  }
}

/** Every part of the file with the entries that it completes; those that the end completes come with the last. */
export async function* readEntries(
  container: Container,
  format: TranscriptFormat,
  onSections: OnSections,
): AsyncGenerator<{ readonly part?: FilePart; readonly entries: readonly Entry[] }, void> {
  const reader = createEntryReader(format, container.path, onSections);
  for await (const part of container.parts) yield { part, entries: reader.push(part) };
  yield { entries: reader.end() };
}

/** The names of the table, when they are needed: formats may be added to it. */
function optionFields(): FieldsOf<ReadOptions> {
  return { format: oneOf(...TRANSCRIPT_FORMATS.map(({ name }) => name)), name: string, onProgress: callback<OnProgress>("a function") };
}
