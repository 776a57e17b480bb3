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
  /** The name of the format, for a file that would be detected as another one. */
  readonly format?: string;
  /** The name of a stream in error messages. */
  readonly name?: string;
  readonly onProgress?: OnProgress;
}

/** The content of a transcript file, in its order. */
export interface TranscriptReading {
  readonly format: TranscriptFormat;
  /**
   * Can be read once. Lines are read as their entries are requested, so that a long file needs little memory. Leaving the loop
   * early closes the file. Throws `UNREADABLE` or `FORMAT_MISMATCH` if reading cannot go on.
   */
  readonly entries: AsyncIterable<Entry>;
}

/** Reads a transcript of any known format from a path or a stream, with or without gzip. */
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

/** Yields each part of the file with the entries that it completes. Entries that the end completes come with the last part. */
export async function* readEntries(
  container: Container,
  format: TranscriptFormat,
  onSections: OnSections,
): AsyncGenerator<{ readonly part?: FilePart; readonly entries: readonly Entry[] }, void> {
  const reader = createEntryReader(format, container.path, onSections);
  for await (const part of container.parts) yield { part, entries: reader.push(part) };
  yield { entries: reader.end() };
}

/** Reads the format names when needed, because formats may be added to the table. */
function optionFields(): FieldsOf<ReadOptions> {
  return { format: oneOf(...TRANSCRIPT_FORMATS.map(({ name }) => name)), name: string, onProgress: callback<OnProgress>("a function") };
}
