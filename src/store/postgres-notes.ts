import { headOf } from "./branch-row.ts";
import type { ParsedNoteQuery } from "./note-input.ts";
import { movedNote, noteSelect, type NoteRow } from "./note-rows.ts";
import { lockBranch, lockThread } from "./postgres-branches.ts";
import type { Run, SqlValue } from "./postgres-run.ts";
import type { Appended, BranchRef } from "./store.ts";
import { encodeText } from "./stored-text.ts";
import { isUnfinished } from "./unfinished.ts";

/** Limits the memory of a statement and its values, here and on the server. */
const NOTES_AT_A_TIME = 1_000;

/** Puts notes. No two may have the same names: one statement cannot write a row twice. */
export async function putNotes(run: Run, notes: readonly NoteRow[]): Promise<void> {
  for (let from = 0; from < notes.length; from += NOTES_AT_A_TIME) {
    const some = notes.slice(from, from + NOTES_AT_A_TIME);
    await run(
      `INSERT INTO palimpsest_notes (thread, kind, key, at, packed, seal)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::double precision[], $5::bytea[], $6::bytea[])
       ON CONFLICT (thread, kind, key) DO UPDATE SET at = excluded.at, packed = excluded.packed, seal = excluded.seal`,
      some.map(({ thread }) => thread),
      some.map(({ kind }) => kind),
      some.map(({ key }) => key),
      some.map(({ at }) => at),
      some.map(({ packed }) => packed),
      some.map(({ seal }) => seal),
    );
  }
}

/** Puts notes if `expected` is the head. Creates no branch. `unconfirmed`: what it returned before, if the acknowledgement was lost. */
export async function appendNotes(run: Run, ref: BranchRef, expected: string | null, notes: readonly NoteRow[], unconfirmed?: Appended): Promise<Appended> {
  const head = headOf(await lockBranch(run, ref));
  if (unconfirmed?.appended === true && (await hasNotes(run, notes))) return unconfirmed;
  const isGone = isUnfinished(ref.thread) && (await lockThread(run, ref.thread)) === undefined;
  if (head.hash !== expected || isGone) return { appended: false, head };
  await putNotes(run, notes);
  return { appended: true, length: head.length };
}

/** Returns whether all of these notes are stored: a transaction whose acknowledgement was lost put them, and nobody has replaced them since. */
async function hasNotes(run: Run, notes: readonly NoteRow[]): Promise<boolean> {
  const rows = await run(
    `SELECT 1 FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) AS given (thread, kind, key, seal)
     JOIN palimpsest_notes n USING (thread, kind, key) WHERE n.seal = given.seal`,
    notes.map(({ thread }) => thread),
    notes.map(({ kind }) => kind),
    notes.map(({ key }) => key),
    notes.map(({ seal }) => seal),
  );
  return rows.length === notes.length;
}

export async function selectNotes(run: Run, query: ParsedNoteQuery, limit: number, offset: number): Promise<NoteRow[]> {
  const values: SqlValue[] = [];
  const bind = (value: SqlValue): string => `$${values.push(value)}`;
  const isOneOf = (keys: readonly string[]): string => `key = ANY (${bind(keys)}::text[])`;
  const sql = noteSelect(query, limit, offset, { table: () => "palimpsest_notes", bind, isOneOf });
  return (await run(sql, ...values)) as NoteRow[];
}

export async function dropNotes(run: Run, kind: string, olderThanMs: number, thread?: string): Promise<number> {
  const [row] = await run(
    `WITH dropped AS (DELETE FROM palimpsest_notes WHERE kind = $1 AND at < $2 ${thread === undefined ? "" : "AND thread = $3"} RETURNING 1)
     SELECT count(*) AS notes FROM dropped`,
    encodeText(kind),
    olderThanMs,
    ...(thread === undefined ? [] : [encodeText(thread)]),
  );
  return (row as { readonly notes: number }).notes;
}

/** Deletes notes older than `olderThanMs`. Returns whether there were any. */
export async function forgetNotes(run: Run, thread: string, olderThanMs: number = Number.POSITIVE_INFINITY): Promise<boolean> {
  const rows = await run(
    `WITH forgotten AS (DELETE FROM palimpsest_notes WHERE thread = $1 AND at < $2 RETURNING 1) SELECT 1 FROM forgotten LIMIT 1`,
    encodeText(thread),
    olderThanMs,
  );
  return rows.length > 0;
}

export async function renameNotes(run: Run, from: string, to: string): Promise<void> {
  const rows = (await run("DELETE FROM palimpsest_notes WHERE thread = $1 RETURNING thread, kind, key, at, packed, seal", encodeText(from))) as NoteRow[];
  await putNotes(
    run,
    rows.map((row) => movedNote(row, to)),
  );
}
