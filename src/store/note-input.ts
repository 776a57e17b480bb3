import { invalid } from "../errors/palimpsest-error.ts";
import { arrayOf, boolean, count, object, parseOptions, string, type FieldsOf } from "../errors/parse-options.ts";
import type { Note, NoteQuery } from "./store.ts";
import { ALL, checkName } from "./store-input.ts";
import { encodeText } from "./stored-text.ts";
import { nameToBe } from "./unfinished.ts";

/** PostgreSQL indexes at most 2,704 bytes of a row, and notes are looked up by all three names together. */
const MAX_NAMES_BYTES = 2_500;
/** This many UTF-16 units always fit into that: a unit has at most five bytes, when escaped. */
const SHORT_NAMES_CHARACTERS = MAX_NAMES_BYTES / 5;

const MAX_KEYS = 1_000;

export interface ParsedNoteQuery {
  readonly kind: string;
  readonly thread: string | undefined;
  readonly keys: readonly string[] | undefined;
  readonly prefix: string | undefined;
  readonly after: Pick<Note, "thread" | "key" | "at"> | undefined;
  readonly limit: number;
  readonly newestFirst: boolean;
}

const QUERY_FIELDS: FieldsOf<NoteQuery> = {
  kind: string,
  thread: string,
  keys: arrayOf(string),
  prefix: string,
  after: object("a note"),
  limit: count,
  newestFirst: boolean,
};

export function parseNoteQuery(query: NoteQuery): ParsedNoteQuery {
  const { kind, thread, keys, prefix, after, limit = ALL, newestFirst = false } = parseOptions(query, "query", QUERY_FIELDS);
  if (kind === undefined) throw invalid("INVALID_OPTION", "query.kind", string.expected, kind);
  if (keys !== undefined && keys.length > MAX_KEYS) throw invalid("INVALID_INPUT", "query.keys", `at most ${MAX_KEYS} keys`, keys.length);
  if (after !== undefined) checkFields(after, ["thread", "key"], "query.after");
  return { kind, thread, keys, prefix, after, limit, newestFirst };
}

export function checkNotes(notes: readonly Note[], path = "notes"): void {
  const given: unknown = notes;
  if (!Array.isArray(given)) throw invalid("INVALID_INPUT", path, "an array of notes", notes);
  for (const [index, note] of notes.entries()) {
    const at = `${path}[${index}]`;
    checkFields(note, ["thread", "kind", "key", "value"], at);
    const thread = nameToBe(note.thread);
    checkName(thread, `${at}.thread`);
    checkName(note.kind, `${at}.kind`);
    checkName(note.key, `${at}.key`);
    const { length } = thread + note.kind + note.key;
    if (length > SHORT_NAMES_CHARACTERS && Buffer.byteLength(encodeText(thread + note.kind + note.key)) > MAX_NAMES_BYTES)
      throw invalid("INVALID_INPUT", at, `thread, kind and key with at most ${MAX_NAMES_BYTES} bytes together`, length);
  }
}

export function checkDrop(kind: string, olderThanMs: number): void {
  checkName(kind, "kind");
  if (!Number.isFinite(olderThanMs)) throw invalid("INVALID_INPUT", "olderThanMs", "a number of milliseconds", olderThanMs);
}

function checkFields<T extends { readonly at: number }>(note: T, texts: readonly (keyof T & string)[], path: string): void {
  if (typeof note !== "object" || (note as unknown) === null) throw invalid("INVALID_INPUT", path, "a note", note);
  for (const field of texts) if (typeof note[field] !== "string") throw invalid("INVALID_INPUT", `${path}.${field}`, string.expected, note[field]);
  if (!count.accepts(note.at)) throw invalid("INVALID_INPUT", `${path}.at`, count.expected, note.at);
}
