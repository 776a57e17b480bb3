import type { SQLInputValue } from "node:sqlite";
import type { ParsedNoteQuery } from "./note-input.ts";
import { movedNote, noteSelect, type NoteRow } from "./note-rows.ts";
import type { SqliteDatabase } from "./sqlite-database.ts";
import { encodeText } from "./stored-text.ts";

export function putNotes(db: SqliteDatabase, notes: readonly NoteRow[]): void {
  for (const { thread, kind, key, at, packed, seal } of notes) {
    db.run(
      `INSERT INTO palimpsest_notes (thread, kind, key, at, packed, seal) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (thread, kind, key) DO UPDATE SET at = excluded.at, packed = excluded.packed, seal = excluded.seal`,
      thread,
      kind,
      key,
      at,
      packed,
      seal,
    );
  }
}

export function selectNotes(db: SqliteDatabase, query: ParsedNoteQuery, limit: number, offset: number): NoteRow[] {
  const values: SQLInputValue[] = [];
  const bind = (value: SQLInputValue): string => {
    values.push(value);
    return "?";
  };
  // One statement, however many keys there are.
  const isOneOf = (keys: readonly string[]): string => `key IN (SELECT value FROM json_each(${bind(JSON.stringify(keys))}))`;
  // Without INDEXED BY, SQLite would read all notes of the kind in the requested order.
  const table = (byKey: boolean): string => `palimpsest_notes${byKey ? " INDEXED BY palimpsest_notes_by_key" : ""}`;
  const sql = noteSelect(query, limit, offset, { table, bind, isOneOf });
  return db.all(sql, ...values) as unknown as NoteRow[];
}

export function dropNotes(db: SqliteDatabase, kind: string, olderThanMs: number, thread?: string): number {
  const ofKind = "DELETE FROM palimpsest_notes WHERE kind = ? AND at < ?";
  if (thread === undefined) return db.run(ofKind, encodeText(kind), olderThanMs);
  return db.run(`${ofKind} AND thread = ?`, encodeText(kind), olderThanMs, encodeText(thread));
}

/** Deletes all notes of a thread, and returns how many there were. */
export function forgetNotes(db: SqliteDatabase, thread: string): number {
  return db.run("DELETE FROM palimpsest_notes WHERE thread = ?", encodeText(thread));
}

export function renameNotes(db: SqliteDatabase, from: string, to: string): void {
  const rows = db.all("SELECT thread, kind, key, at, packed, seal FROM palimpsest_notes WHERE thread = ?", encodeText(from)) as unknown as NoteRow[];
  putNotes(
    db,
    rows.map((row) => movedNote(row, to)),
  );
  forgetNotes(db, from);
}
