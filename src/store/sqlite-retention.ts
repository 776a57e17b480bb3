import { forgetThread } from "./sqlite-commits.ts";
import type { SqliteDatabase } from "./sqlite-database.ts";
import { forgetNotes } from "./sqlite-notes.ts";
import { decodeText, encodeText } from "./stored-text.ts";
import { isUnfinished } from "./unfinished.ts";

export function forget(db: SqliteDatabase, thread: string, ifCommits?: number): boolean {
  const row = db.get("SELECT number, commits FROM palimpsest_threads WHERE id = ?", encodeText(thread));
  if (ifCommits !== undefined && Number(row?.["commits"] ?? 0) !== ifCommits) return false;
  if (row !== undefined) forgetThread(db, Number(row["number"]));
  return forgetNotes(db, thread) > 0 || row !== undefined;
}

export function retain(db: SqliteDatabase, olderThanMs: number, among?: readonly string[]): string[] {
  const old = olderThreads(db, olderThanMs).filter(({ id }) => !isUnfinished(id) && among?.includes(id) !== false);
  for (const { number, id } of old) {
    if (number !== null) forgetThread(db, number);
    forgetNotes(db, id);
  }
  return old.map(({ id }) => id);
}

/** Returns threads whose commits and notes are all older. Threads with only notes have no number. */
function olderThreads(db: SqliteDatabase, thanMs: number): { readonly number: number | null; readonly id: string }[] {
  const rows = db.all(
    `SELECT number, id FROM palimpsest_threads t
       WHERE time < ? AND NOT EXISTS (SELECT 1 FROM palimpsest_notes n WHERE n.thread = t.id AND n.at >= ?)
     UNION ALL SELECT NULL, thread FROM palimpsest_notes WHERE thread NOT IN (SELECT id FROM palimpsest_threads) GROUP BY thread HAVING max(at) < ?
     ORDER BY id`,
    thanMs,
    thanMs,
    thanMs,
  ) as unknown as { readonly number: number | null; readonly id: string }[];
  return rows.map(({ number, id }) => ({ number, id: decodeText(id) }));
}
