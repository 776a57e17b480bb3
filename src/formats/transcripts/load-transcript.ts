import type { Readable } from "node:stream";
import { invalid } from "../../errors/palimpsest-error.ts";
import type { Message } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { isValue, type FilePart } from "./reading/file-part.ts";
import { openTranscript, readEntries, type ReadOptions } from "./read-transcript.ts";
import type { DamagedEntry, DocumentFormat, Entry, RecordsFormat, Section, TrajectoryEntry, TranscriptFormat } from "./transcript-format.ts";

/** Messages to read before a file counts as one that names no model: a streaming reader cannot wait longer. */
export const NAMED_WITHIN = 1_000;

/** One conversation with one agent. */
export interface Trajectory {
  readonly id: string;
  /** The model of the file, or else of the first message that names one within the first `NAMED_WITHIN`. */
  readonly model?: string;
  readonly system?: string;
  readonly tools?: readonly unknown[];
  readonly log: Message[];
  /** Its messages with times, models and usage, and the compactions between them. */
  readonly entries: readonly Entry[];
}

export interface Transcript {
  readonly format: TranscriptFormat;
  readonly trajectories: readonly Trajectory[];
  /** The lines that could not be read. */
  readonly damaged: readonly DamagedEntry[];
  /**
   * Writes the file with a view in place of each trajectory's log, in the same format and uncompressed: text, or the bytes of an
   * archive. What the views do not change stays as it was; if they change nothing, the content is what was read.
   */
  readonly encode: (views: readonly (readonly Message[])[]) => string | Uint8Array;
}

/** Reads a whole transcript into memory, so that it can be written again. */
export async function loadTranscript(source: string | Readable, options: ReadOptions = {}): Promise<Transcript> {
  const { container, format } = await openTranscript(source, options);
  const parts: FilePart[] = [];
  const entries: Entry[] = [];
  const sections = new Map<FilePart, readonly Section[]>();
  const refused = new Set<FilePart>();
  for await (const { part, entries: completed } of readEntries(container, format, (document, found) => sections.set(document, found))) {
    for (const entry of completed) entries.push(entry);
    if (part === undefined) continue;
    parts.push(part);
    if (completed.some((entry) => entry.kind === "damaged" && entry.line === part.line)) refused.add(part);
  }
  const trajectories = splitTrajectories(entries);
  return {
    format,
    trajectories,
    damaged: entries.filter((entry) => entry.kind === "damaged"),
    encode: (views) => {
      if (views.length !== trajectories.length) throw invalid("INVALID_INPUT", "views", `a view for each of the ${trajectories.length} trajectories`, views);
      return container.write(parts, format.layout === "records" ? recordsWith(format, parts, refused, views) : documentsWith(format, parts, sections, views));
    },
  };
}

function splitTrajectories(entries: readonly Entry[]): Trajectory[] {
  const found: { readonly beginning: TrajectoryEntry; readonly entries: Entry[] }[] = [];
  for (const entry of entries) {
    if (entry.kind === "trajectory") found.push({ beginning: entry, entries: [] });
    else if (entry.kind !== "damaged") found.at(-1)?.entries.push(entry);
  }
  return found.map(({ beginning: { kind: _, ...beginning }, entries: own }) => {
    const messages = own.filter((entry) => entry.kind === "message");
    const model = beginning.model ?? messages.slice(0, NAMED_WITHIN).find((entry) => entry.model !== undefined)?.model;
    return { ...beginning, ...(model === undefined ? {} : { model }), log: messages.map((entry) => entry.message), entries: own };
  });
}

/** Refused records are kept only in an unchanged file, because the format cannot write them. */
function recordsWith(
  format: RecordsFormat,
  parts: readonly FilePart[],
  refused: ReadonlySet<FilePart>,
  views: readonly (readonly Message[])[],
): readonly unknown[] {
  const values = parts.filter(isValue);
  const records = values.filter((part) => !refused.has(part)).flatMap(({ value }) => (isRecord(value) ? [value] : []));
  const encoded = views[0] === undefined ? records : format.encode(records, views[0]);
  return isSameList(encoded, records) ? values.map(({ value }) => value) : encoded;
}

function documentsWith(
  format: DocumentFormat,
  parts: readonly FilePart[],
  sections: ReadonlyMap<FilePart, readonly Section[]>,
  views: readonly (readonly Message[])[],
): readonly unknown[] {
  let used = 0;
  return parts.filter(isValue).map((part) => {
    const found = sections.get(part) ?? [];
    const own = views.slice(used, (used += found.length));
    return documentWith(format, part.value, found, own);
  });
}

function documentWith(format: DocumentFormat, document: unknown, sections: readonly Section[], views: readonly (readonly Message[])[]): unknown {
  const records = sections.map((section, number) => format.encode(section.records, views[number] ?? []));
  const unchanged = records.every((list, number) => isSameList(list, sections[number]?.records ?? []));
  return unchanged ? document : format.assemble(document, records);
}

function isSameList(list: readonly object[], other: readonly object[]): boolean {
  return list.length === other.length && list.every((record, number) => record === other[number]);
}
