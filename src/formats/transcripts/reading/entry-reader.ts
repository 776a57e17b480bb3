import { PalimpsestError } from "../../../errors/palimpsest-error.ts";
import { isRecord } from "../../../errors/is-record.ts";
import type { DamagedEntry, DocumentFormat, Entry, RecordsFormat, Section, TranscriptFormat } from "../transcript-format.ts";
import { belongs, refuseMixture } from "./choose-format.ts";
import type { FilePart, FileValue } from "./file-part.ts";
import { unreadable } from "./unreadable.ts";

/** Turns the parts of a file into entries, as they come. */
export interface EntryReader {
  push(part: FilePart): readonly Entry[];
  end(): readonly Entry[];
}

/** Called with the sections found in a document. */
export type OnSections = (document: FileValue, sections: readonly Section[]) => void;

export function createEntryReader(format: TranscriptFormat, path: string, onSections: OnSections): EntryReader {
  const reader = format.layout === "records" ? recordReader(format) : documentReader(format, path, onSections);
  let position = 0;
  return {
    push: (part) => {
      if (part.kind === "skipped") return part.reason === undefined ? [] : reader.skip(damaged(part.line, part.reason));
      const isKnown = belongs(path, format, part, position);
      if (!isKnown) refuseMixture(path, format, part, position);
      position++;
      const refusal = isKnown ? undefined : reader.refusalOf(part.value);
      if (refusal !== undefined) return reader.skip(damaged(part.line, refusal));
      try {
        return reader.push(part);
      } catch (error) {
        if (!PalimpsestError.isInstance(error) || error.code !== "INVALID_INPUT") throw error;
        return reader.skip(damaged(part.line, error.message));
      }
    },
    end: () => reader.end(),
  };
}

interface ValueReader {
  push(value: FileValue): readonly Entry[];
  /** Says why a value that the format does not know is damage; undefined if it may be there. */
  refusalOf(value: unknown): string | undefined;
  skip(damage: DamagedEntry): readonly Entry[];
  end(): readonly Entry[];
}

/** Records that are not messages may stand among the messages. */
function recordReader(format: RecordsFormat): ValueReader {
  const decoder = format.createDecoder();
  return {
    push: ({ value }) => decoder.push(value as object),
    refusalOf: (value) => (isRecord(value) ? undefined : "it is not an object"),
    skip: (damage) => [damage],
    end: () => decoder.end(),
  };
}

/** Damage is held back until a document was read: a file without any is an error, not a list of damage. */
function documentReader(format: DocumentFormat, path: string, onSections: OnSections): ValueReader {
  const unique = uniqueIds();
  let held: DamagedEntry[] | undefined = [];
  return {
    push: (document) => {
      const sections = format.sections(document.value).map((section) => ({ ...section, id: unique(section.id) }));
      const entries = sections.flatMap((section) => readSection(format, section));
      onSections(document, sections);
      const before = held ?? [];
      held = undefined;
      return [...before, ...entries];
    },
    refusalOf: () => `it does not have the format ${format.name}`,
    skip: (damage) => {
      if (held === undefined) return [damage];
      held.push(damage);
      return [];
    },
    end: () => {
      const [first] = held ?? [];
      if (first !== undefined) throw unreadable(path, first.reason, { line: first.line });
      return [];
    },
  };
}

function readSection(format: DocumentFormat, section: Section): Entry[] {
  const { id, records, model, system, tools } = section;
  const decoder = format.createDecoder(section);
  const head = { ...(model === undefined ? {} : { model }), ...(system === undefined ? {} : { system }), ...(tools === undefined ? {} : { tools }) };
  return [{ kind: "trajectory", id, ...head }, ...records.flatMap((record) => decoder.push(record)), ...decoder.end()];
}

/** Makes the ids of trajectories unique within a file: documents do not know of each other. */
function uniqueIds(): (id: string) => string {
  const seen = new Map<string, number>();
  return (id) => {
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return count === 1 ? id : `${id}#${count}`;
  };
}

function damaged(line: number, reason: string): DamagedEntry {
  return { kind: "damaged", line, reason };
}
