import type { ParsedNoteQuery } from "./note-input.ts";
import { packText, unpackText } from "./packed-text.ts";
import { noteSeal } from "./seals.ts";
import type { Note } from "./store.ts";
import { afterLast, decodeText, encodeText } from "./stored-text.ts";

/** A note as the databases store it. In a damaged row any column may hold anything: see `isWhole`. */
export interface NoteRow {
  readonly thread: string;
  readonly kind: string;
  readonly key: string;
  readonly at: number;
  readonly packed: Uint8Array;
  readonly seal: Uint8Array;
}

/**
 * Packs notes before the transaction, because it takes time that would hold the lock. Keeps only the last of notes with the same names, and
 * sorts them, so that no two writers deadlock.
 */
export async function packNotes(notes: readonly Note[]): Promise<NoteRow[]> {
  const rows = await Promise.all(notes.map(packNote));
  if (rows.length < 2) return rows;
  const byNames = new Map(rows.map((row) => [JSON.stringify([row.thread, row.kind, row.key]), row]));
  return [...byNames].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

async function packNote({ thread, kind, key, at, value }: Note): Promise<NoteRow> {
  return sealed({ thread: encodeText(thread), kind: encodeText(kind), key: encodeText(key), at, packed: await packText(value) });
}

/** Returns the same note for another thread. A damaged note stays damaged. */
export function movedNote(row: NoteRow, thread: string): NoteRow {
  const moved = { ...row, thread: encodeText(thread) };
  return isWhole(row) ? sealed(moved) : moved;
}

function sealed(row: Omit<NoteRow, "seal">): NoteRow {
  return { ...row, seal: noteSeal(row) };
}

/** Returns whether the row is what was written. */
export function isWhole(row: NoteRow): boolean {
  const { packed, seal } = row as { readonly packed: unknown; readonly seal: unknown };
  return packed instanceof Uint8Array && seal instanceof Uint8Array && noteSeal(row).equals(seal);
}

/**
 * Returns up to `limit` undamaged notes that `read` returns. Reads more only if rows are damaged: from an offset, because a damaged row
 * cannot serve as a cursor.
 */
export async function readNotes(limit: number, read: (limit: number, offset: number) => Promise<readonly NoteRow[]>): Promise<Note[]> {
  const whole: NoteRow[] = [];
  for (let offset = 0; ;) {
    const missing = limit - whole.length;
    const rows = missing === 0 ? [] : await read(missing, offset);
    for (const row of rows) if (isWhole(row)) whole.push(row);
    offset += rows.length;
    if (whole.length === limit || rows.length < missing) break;
  }
  return Promise.all(whole.map(noteOf));
}

async function noteOf({ thread, kind, key, at, packed }: NoteRow): Promise<Note> {
  return { thread: decodeText(thread), kind: decodeText(kind), key: decodeText(key), at, value: await unpackText(packed) };
}

interface Dialect {
  /** The table; `byKey`: to be read by the index of keys. */
  readonly table: (byKey: boolean) => string;
  /** Takes a value and returns its placeholder. Called in the order of the SQL. Values never become part of the SQL. */
  readonly bind: (value: string | number) => string;
  /** The SQL condition that the key is one of these. */
  readonly isOneOf: (keys: readonly string[]) => string;
}

/** Returns the SQL that selects the notes of a query, in its order. */
export function noteSelect(query: ParsedNoteQuery, limit: number, offset: number, { table, bind, isOneOf }: Dialect): string {
  const { kind, thread, keys, prefix, after, newestFirst } = query;
  const order = thread === undefined ? ["at", "thread", "key"] : ["key"];
  const conditions = [`kind = ${bind(encodeText(kind))}`];
  if (thread !== undefined) conditions.push(`thread = ${bind(encodeText(thread))}`);
  if (keys !== undefined) conditions.push(isOneOf(keys.map(encodeText)));
  if (prefix !== undefined) {
    const start = encodeText(prefix);
    conditions.push(`key >= ${bind(start)} AND key < ${bind(afterLast(start))}`);
  }
  if (after !== undefined) {
    const place = thread === undefined ? [after.at, encodeText(after.thread), encodeText(after.key)] : [encodeText(after.key)];
    conditions.push(`(${order.join(", ")}) ${newestFirst ? "<" : ">"} (${place.map(bind).join(", ")})`);
  }
  const direction = newestFirst ? "DESC" : "ASC";
  return `SELECT thread, kind, key, at, packed, seal FROM ${table(keys !== undefined && thread === undefined)} WHERE ${conditions.join(" AND ")}
    ORDER BY ${order.map((column) => `${column} ${direction}`).join(", ")} LIMIT ${bind(limit)} OFFSET ${bind(offset)}`;
}
