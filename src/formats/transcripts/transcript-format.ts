import type { Message } from "../../messages/message.ts";
import type { Usage } from "../../messages/usage.ts";
import type { FormatName } from "../codec.ts";

/** One thing that a transcript file says, in the order of the file. */
export type Entry = TrajectoryEntry | MessageEntry | CompactionEntry | DamagedEntry;

/** A trajectory begins: one conversation with one agent. Most files hold one. */
export interface TrajectoryEntry {
  readonly kind: "trajectory";
  readonly id: string;
  readonly model?: string;
  /** The head of its requests, as far as the file has it. */
  readonly system?: string;
  readonly tools?: readonly unknown[];
}

/** A message of the log. */
export interface MessageEntry {
  readonly kind: "message";
  readonly message: Message;
  /** How many messages of the file it stands for: results of one turn are one message of the log. */
  readonly nativeMessages: number;
  readonly atMs?: number;
  readonly model?: string;
  /** Whose rules its provider has, where the file says so: some agents talk to several. */
  readonly wire?: FormatName;
  /** What the provider reported for the response, at an assistant's message. */
  readonly usage?: Usage;
}

/** Here the agent's own harness shortened what it sent; the messages before it are still in the file. */
export interface CompactionEntry {
  readonly kind: "compaction";
  /** Its name in the file, such as "compact_boundary". */
  readonly by: string;
  readonly atMs?: number;
  readonly tokensBefore?: number;
}

/** A line that could not be read; reading goes on after it. */
export interface DamagedEntry {
  readonly kind: "damaged";
  readonly line: number;
  readonly reason: string;
}

/** The records of a file, or of a part of it, that are one trajectory. */
export interface Section {
  readonly id: string;
  readonly records: readonly object[];
  readonly model?: string;
  readonly system?: string;
  readonly tools?: readonly unknown[];
}

/** Turns records into entries as they come, so that a long file need not be held in memory. */
export interface RecordDecoder {
  /** The entries that are complete now that this record is known. */
  push(record: object): readonly Entry[];
  end(): readonly Entry[];
}

interface AnyTranscriptFormat {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** Whose rules its messages are checked by, unless they say otherwise. */
  readonly wire: FormatName;
  /**
   * The records with this view instead of the log that they decode to. Untouched messages keep their records, as the same
   * objects; records that are no message stay where they are.
   */
  readonly encode: (records: readonly object[], view: readonly Message[]) => object[];
}

/** Every line of the file is a record of one trajectory. */
export interface RecordsFormat extends AnyTranscriptFormat {
  readonly layout: "records";
  /** Is a file of this format one of whose first lines is this? `position` 0 is its first record. */
  readonly detect: (record: Readonly<Record<string, unknown>>, position: number) => boolean;
  /** May the record be of this format, though other formats would take it too? Unset: only what `detect` knows. */
  readonly fits?: (record: Readonly<Record<string, unknown>>) => boolean;
  readonly createDecoder: () => RecordDecoder;
}

/** The file, or each line of it, is a JSON value with one or more trajectories in it. */
export interface DocumentFormat extends AnyTranscriptFormat {
  readonly layout: "document";
  readonly detect: (document: unknown) => boolean;
  /** May the document be of this format, though other formats would take it too? Unset: only what `detect` knows. */
  readonly fits?: (document: unknown) => boolean;
  readonly sections: (document: unknown) => readonly Section[];
  /** The document with other records in its sections. */
  readonly assemble: (document: unknown, records: readonly (readonly object[])[]) => unknown;
  /** For the messages of a section; that the trajectory begins, the reader says itself, from the section. */
  readonly createDecoder: (section: Section) => RecordDecoder;
}

export type TranscriptFormat = RecordsFormat | DocumentFormat;
