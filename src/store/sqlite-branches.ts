import type { BranchRow } from "./branch-row.ts";
import { sealOf } from "./seals.ts";
import { ownSegment, type Segment } from "./segments.ts";
import type { SqliteDatabase } from "./sqlite-database.ts";
import type { BranchRef } from "./store.ts";
import { encodeText } from "./stored-text.ts";

export function branchOf(db: SqliteDatabase, { thread, branch }: BranchRef): BranchRow | undefined {
  const row = db.get(
    `SELECT b.number, b.thread, b.start, b.length, b.head, b.origin, b.steps_hash
     FROM palimpsest_threads t JOIN palimpsest_branches b ON b.thread = t.number WHERE t.id = ? AND b.name = ?`,
    encodeText(thread),
    encodeText(branch),
  );
  return row as unknown as BranchRow | undefined;
}

interface NewBranch {
  readonly parent: number | null;
  readonly start: number;
  readonly head: string | null;
}

/** Adds a branch, without a seal yet, and returns its number. */
export function addBranch(db: SqliteDatabase, thread: number, name: string, { parent, start, head }: NewBranch): number {
  const row = db.get(
    "INSERT INTO palimpsest_branches (thread, name, parent, start, length, head) VALUES (?, ?, ?, ?, ?, ?) RETURNING number",
    thread,
    encodeText(name),
    parent,
    start,
    start,
    head === null ? null : encodeText(head),
  );
  return Number(row?.["number"]);
}

/** Sets the length and head of a branch, and its seal. */
export function setEnd(db: SqliteDatabase, branch: BranchRow | undefined, length: number, head: string): void {
  if (branch === undefined) return;
  const seal = sealOf({ origin: branch.origin, length, head, steps: branch.steps_hash });
  db.run("UPDATE palimpsest_branches SET length = ?, head = ?, seal = ? WHERE number = ?", length, head, seal, branch.number);
}

/** Returns segments in the order of their commits; the branch's own is the last. */
export function segmentsOf(db: SqliteDatabase, { number, start }: BranchRow): Segment[] {
  const shared = db.all("SELECT segment AS number, start, stop, last_step AS lastStep FROM palimpsest_shared WHERE branch = ? ORDER BY position", number);
  return [...(shared as unknown as Segment[]), ownSegment(number, start)];
}

/** Shares a segment with a new branch, and of the parent's own segment only the steps recorded so far. */
export function shareSegment(db: SqliteDatabase, branch: number, position: number, { number, start, stop, lastStep }: Segment, parent: number): void {
  const last = number === parent ? Number(db.get("SELECT max(number) AS last FROM palimpsest_steps WHERE segment = ?", number)?.["last"] ?? 0) : lastStep;
  db.run(
    "INSERT INTO palimpsest_shared (branch, position, segment, start, stop, last_step) VALUES (?, ?, ?, ?, ?, ?)",
    branch,
    position,
    number,
    start,
    stop,
    last,
  );
}
