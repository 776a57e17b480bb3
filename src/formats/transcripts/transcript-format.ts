import type { Message } from "../../messages/message.ts";
import type { Usage } from "../../messages/usage.ts";
import type { FormatName } from "../codec.ts";

/** One entry of a transcript file, in the order of the file. */
export type Entry = TrajectoryEntry | MessageEntry | CompactionEntry | DamagedEntry;

/** The start of a trajectory: one conversation with one agent. Most files hold one. */
export interface TrajectoryEntry {
  readonly kind: "trajectory";
  readonly id: string;
  readonly model?: string;
  /** The head of its requests, as far as the file contains it. */
  readonly system?: string;
  readonly tools?: readonly unknown[];
}

/** A message of the log. */
export interface MessageEntry {
  readonly kind: "message";
  readonly message: Message;
  /** The number of messages in the file: the results of one turn are one message of the log. */
  readonly nativeMessages: number;
  readonly atMs?: number;
  readonly model?: string;
  /** The format whose rules its provider has, if the file says so: some agents use several providers. */
  readonly wire?: FormatName;
  /** The usage that the provider reported for an assistant message. */
  readonly usage?: Usage;
}

/** Here the agent's own harness shortened its context; the earlier messages are still in the file. */
export interface CompactionEntry {
  readonly kind: "compaction";
  /** Its name in the file, such as "compact_boundary". */
  readonly by: string;
  readonly atMs?: number;
  readonly tokensBefore?: number;
}

/** A line that could not be read; reading continues after it. */
export interface DamagedEntry {
  readonly kind: "damaged";
  readonly line: number;
  readonly reason: string;
}

/** The records of one trajectory: the whole file or a part of it. */
export interface Section {
  readonly id: string;
  readonly records: readonly object[];
  readonly model?: string;
  readonly system?: string;
  readonly tools?: readonly unknown[];
}

/** Turns records into entries as they arrive, so that a long file need not be held in memory. */
export interface RecordDecoder {
  /** Returns the entries that this record completes. */
  push(record: object): readonly Entry[];
  end(): readonly Entry[];
}

interface AnyTranscriptFormat {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** The format whose rules its messages are checked by, unless an entry names another. */
  readonly wire: FormatName;
  /**
   * Returns the records with this view instead of the log that they decode to. Unchanged messages keep their records, as the
   * same objects; records that are not messages stay where they are.
   */
  readonly encode: (records: readonly object[], view: readonly Message[]) => object[];
}

/** Every line of the file is a record of one trajectory. */
export interface RecordsFormat extends AnyTranscriptFormat {
  readonly layout: "records";
  /** Says whether this is one of the first lines of a file of this format. `position` 0 is its first record. */
  readonly detect: (record: Readonly<Record<string, unknown>>, position: number) => boolean;
  /** Says whether the record may have this format, though it may fit others too. Unset: only `detect` decides. */
  readonly fits?: (record: Readonly<Record<string, unknown>>) => boolean;
  readonly createDecoder: () => RecordDecoder;
}

/** The file, or each line of it, is a JSON value with one or more trajectories. */
export interface DocumentFormat extends AnyTranscriptFormat {
  readonly layout: "document";
  readonly detect: (document: unknown) => boolean;
  /** Says whether the document may have this format, though it may fit others too. Unset: only `detect` decides. */
  readonly fits?: (document: unknown) => boolean;
  readonly sections: (document: unknown) => readonly Section[];
  /** Returns the document with other records in its sections. */
  readonly assemble: (document: unknown, records: readonly (readonly object[])[]) => unknown;
  /** Creates a decoder for the messages of a section. The reader itself adds the `TrajectoryEntry`. */
  readonly createDecoder: (section: Section) => RecordDecoder;
}

export type TranscriptFormat = RecordsFormat | DocumentFormat;
