import type { SQLInputValue, SQLOutputValue } from "node:sqlite";
import { memoSeal, NO_STEPS, originOf, sealOf, stepsWith, type UnsealedRow } from "./seals.ts";
import type { Segment } from "./segments.ts";
import { decodeText } from "./stored-text.ts";

/** What sealing needs of an open database, inside a transaction. */
interface Database {
  readonly all: (sql: string, ...values: SQLInputValue[]) => Readonly<Record<string, SQLOutputValue>>[];
  readonly run: (sql: string, ...values: SQLInputValue[]) => number;
}

/** Seals all branches and memos as they are, for stores that were written before there were seals. */
export function sealAll(db: Database): void {
  for (const { number } of db.all("SELECT number FROM palimpsest_branches")) {
    let steps = NO_STEPS;
    for (const { length, packed } of db.all("SELECT length, packed FROM palimpsest_steps WHERE segment = ? ORDER BY number", number ?? null))
      steps = stepsWith(steps, Number(length), packed as Uint8Array);
    db.run("UPDATE palimpsest_branches SET steps_hash = ? WHERE number = ?", steps, number ?? null);
  }
  for (const { number } of db.all("SELECT number FROM palimpsest_threads")) sealThread(db, Number(number));
  for (const { key, packed } of db.all("SELECT key, packed FROM palimpsest_memos"))
    db.run("UPDATE palimpsest_memos SET seal = ? WHERE key = ?", memoSeal(key as Uint8Array, packed as Uint8Array), key ?? null);
}

/** Seals the branches of a thread after their names, places or shared segments have changed. */
export function sealThread(db: Database, thread: number): void {
  const rows = db.all(
    `SELECT b.number, t.id, b.name, p.name AS parent, b.start, b.length, b.head, b.steps_hash
     FROM palimpsest_threads t JOIN palimpsest_branches b ON b.thread = t.number LEFT JOIN palimpsest_branches p ON p.number = b.parent
     WHERE t.number = ?`,
    thread,
  );
  for (const { number, id, name, parent, start, length, head, steps_hash } of rows as unknown as UnsealedRow[]) {
    const shared = db.all(
      "SELECT segment AS number, start, stop, last_step AS lastStep FROM palimpsest_shared WHERE branch = ? ORDER BY position",
      number,
    ) as unknown as Segment[];
    const origin = originOf({ thread: decodeText(id), name: decodeText(name), parent: parent === null ? null : decodeText(parent), start, shared });
    db.run("UPDATE palimpsest_branches SET origin = ?, seal = ? WHERE number = ?", origin, sealOf({ origin, length, head, steps: steps_hash }), number);
  }
}
