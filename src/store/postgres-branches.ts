import { randomUUID } from "node:crypto";
import type { BranchRow } from "./branch-row.ts";
import type { Run } from "./postgres-run.ts";
import { NO_STEPS, originOf, sealOf } from "./seals.ts";
import { ownSegment, type Segment } from "./segments.ts";
import type { BranchRef, NewCommit } from "./store.ts";
import { encodeText } from "./stored-text.ts";
import { isUnfinished } from "./unfinished.ts";

interface NumberedRow {
  readonly number: number;
}

/** A random token, by which the writer of a row recognises it if the acknowledgement was lost. */
interface TokenRow {
  readonly token: string;
}

/** Locks a thread, so that nobody else writes to it until the transaction ends. Undefined: there is no such thread. */
export async function lockThread(run: Run, id: string): Promise<number | undefined> {
  const [row] = (await run("SELECT number FROM palimpsest_threads WHERE id = $1 FOR UPDATE", encodeText(id))) as NumberedRow[];
  return row?.number;
}

async function lockOrAddThread(run: Run, id: string): Promise<number> {
  const sql = "INSERT INTO palimpsest_threads (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING number";
  const [row] = (await run(sql, encodeText(id))) as [NumberedRow];
  return row.number;
}

const BRANCH = `SELECT b.number, b.thread, b.start, b.length, b.head, b.origin, b.steps_hash, b.token
  FROM palimpsest_threads t JOIN palimpsest_branches b ON b.thread = t.number WHERE t.id = $1 AND b.name = $2`;

type FoundBranch = BranchRow & TokenRow;

export async function branchOf(run: Run, { thread, branch }: BranchRef): Promise<FoundBranch | undefined> {
  const [row] = (await run(BRANCH, encodeText(thread), encodeText(branch))) as FoundBranch[];
  return row;
}

/** Locks the branch and its thread, and returns the branch as it is then. */
export async function lockBranch(run: Run, { thread, branch }: BranchRef): Promise<FoundBranch | undefined> {
  const [row] = (await run(`${BRANCH} FOR UPDATE`, encodeText(thread), encodeText(branch))) as FoundBranch[];
  return row;
}

/** Locks the branch, creating it and its thread if necessary. Undefined: it belongs to an import that is gone. */
export async function lockOrAddBranch(run: Run, ref: BranchRef): Promise<FoundBranch | undefined> {
  const there = await lockBranch(run, ref);
  if (there !== undefined) return there;
  const thread = isUnfinished(ref.thread) ? await lockThread(run, ref.thread) : await lockOrAddThread(run, ref.thread);
  if (thread === undefined) return undefined;
  const origin = originOf({ thread: ref.thread, name: ref.branch, parent: null, start: 0, shared: [] });
  // Another process may have created it before the lock was taken.
  return (await branchOf(run, ref)) ?? addBranch(run, thread, ref.branch, { parent: null, start: 0, head: null, origin, token: randomUUID() });
}

interface NewBranch extends TokenRow {
  readonly parent: number | null;
  readonly start: number;
  readonly head: string | null;
  readonly origin: string;
}

export async function addBranch(run: Run, thread: number, name: string, { parent, start, head, origin, token }: NewBranch): Promise<FoundBranch> {
  const [row] = (await run(
    `INSERT INTO palimpsest_branches (thread, name, parent, start, length, head, token, origin, seal) VALUES ($1, $2, $3, $4, $4, $5, $6, $7, $8)
     RETURNING number, thread, start, length, head, origin, steps_hash, token`,
    thread,
    encodeText(name),
    parent,
    start,
    head === null ? null : encodeText(head),
    token,
    origin,
    sealOf({ origin, length: start, head: head === null ? null : encodeText(head), steps: NO_STEPS }),
  )) as [FoundBranch];
  return row;
}

/** Returns segments in the order of their commits; the branch's own is the last. */
export async function segmentsOf(run: Run, { number, start }: BranchRow): Promise<Segment[]> {
  const sql = 'SELECT segment AS number, start, stop, last_step AS "lastStep" FROM palimpsest_shared WHERE branch = $1 ORDER BY position';
  return [...((await run(sql, number)) as Segment[]), ownSegment(number, start)];
}

/** Shares segments with a new branch, and of the parent's own segment only the steps recorded so far. */
export async function shareSegments(run: Run, branch: number, segments: readonly Segment[], parent: number): Promise<void> {
  await run(
    `INSERT INTO palimpsest_shared (branch, position, segment, start, stop, last_step)
       SELECT $1, position, segment, start, stop,
         CASE WHEN segment = $2 THEN coalesce((SELECT max(number) FROM palimpsest_steps s WHERE s.segment = $2), 0) ELSE last_step END
       FROM unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[]) WITH ORDINALITY AS r (segment, start, stop, last_step, position)`,
    branch,
    parent,
    segments.map(({ number }) => number),
    segments.map(({ start }) => start),
    segments.map(({ stop }) => stop),
    segments.map(({ lastStep }) => lastStep),
  );
}

/** Returns whether an append whose acknowledgement was lost was done: the branch has this length, with these commits at the end. */
export async function hasAppended(run: Run, branch: BranchRow, added: readonly NewCommit[], length: number): Promise<boolean> {
  const rows = await run(
    "SELECT hash FROM palimpsest_commits WHERE segment = $1 AND sequence >= $2 AND sequence < $3 ORDER BY sequence",
    branch.number,
    length - added.length,
    length,
  );
  const hashes = (rows as { readonly hash: string }[]).map(({ hash }) => hash);
  return hashes.length === added.length && added.every(({ hash }, index) => encodeText(hash) === hashes[index]);
}
