import { commitOf, type CommitRow } from "./commit-row.ts";
import { marksOf } from "./marks.ts";
import { strayNoteFaults, threadNoteFaults } from "./note-audit.ts";
import { unpackText } from "./packed-text.ts";
import type { Query } from "./query.ts";
import { memoSeal, NO_STEPS, originOf, sealOf, stepsWith } from "./seals.ts";
import { wordsText } from "./search-words.ts";
import type { Segment } from "./segments.ts";
import type { Derivation, StoredCommit, StoreFault } from "./store.ts";
import { decodeText, encodeText } from "./stored-text.ts";
import { isUnfinished } from "./unfinished.ts";

/** Commits, or contents, compared at a time. */
export const AUDIT_PAGE = 500;
/** How often to try again if somebody writes to the thread meanwhile. */
const ATTEMPTS = 5;

interface ThreadRow {
  readonly number: number;
  readonly commits: number;
  readonly time: number;
}

export interface AuditedBranch {
  readonly number: number;
  readonly thread: number;
  readonly name: string;
  readonly parent: string | null;
  readonly start: number;
  readonly length: number;
  readonly head: string | null;
  readonly origin: string;
  readonly steps_hash: string;
  readonly seal: string;
}

/** A commit with the columns that repeat parts of it for queries. */
export interface AuditedCommit extends CommitRow {
  readonly thread: number;
  readonly kind: string;
  readonly role: string;
  readonly is_error: number | boolean;
  readonly tokens: number;
  readonly content: number;
}

export interface AuditedContent {
  readonly number: number;
  readonly hash: string;
  readonly packed: Uint8Array;
  readonly words: string | null;
}

/** Audits data that belongs to no thread. */
export async function auditStore(query: Query): Promise<StoreFault[]> {
  const faults: StoreFault[] = [];
  const memos = (await query("SELECT key, packed, seal FROM palimpsest_memos")) as { key: Uint8Array; packed: Uint8Array; seal: string }[];
  for (const { key, packed, seal } of memos)
    if (memoSeal(key, packed) !== seal)
      faults.push({ fault: "a cached text is not what was written; it will be computed again when needed", isDerived: false });
  const lost = await query(
    "SELECT t.hash FROM palimpsest_contents t WHERE NOT EXISTS (SELECT 1 FROM palimpsest_commits c WHERE c.content = t.number) ORDER BY t.hash LIMIT 100",
  );
  for (const { hash } of lost as { hash: string }[])
    faults.push({ hash: decodeText(hash), fault: "a content that belongs to no commit: the commit was deleted, or lost its content", isDerived: false });
  const empty = await query(
    "SELECT t.id FROM palimpsest_threads t WHERE NOT EXISTS (SELECT 1 FROM palimpsest_branches b WHERE b.thread = t.number) ORDER BY t.id LIMIT 100",
  );
  for (const { id } of empty as { id: string }[])
    if (!isUnfinished(id)) faults.push({ fault: `thread ${JSON.stringify(decodeText(id))} has lost its branches`, isDerived: false });
  return [...faults, ...(await strayNoteFaults(query))];
}

export async function auditThread(query: Query, id: string, derive: Derivation): Promise<StoreFault[]> {
  return [...(await auditCommits(query, id, derive)), ...(await threadNoteFaults(query, id))];
}

async function auditCommits(query: Query, id: string, derive: Derivation): Promise<StoreFault[]> {
  for (let attempt = 1; ; attempt++) {
    const before = await threadRow(query, id);
    if (before === undefined) return [];
    const found = await threadFaults(query, id, before, derive);
    const after = await threadRow(query, id);
    // If somebody has written meanwhile, two different states were compared.
    if (attempt === ATTEMPTS || (after?.number === before.number && after.commits === before.commits)) return found;
  }
}

async function threadRow(query: Query, id: string): Promise<ThreadRow | undefined> {
  const [row] = await query("SELECT number, commits, time FROM palimpsest_threads WHERE id = $1", encodeText(id));
  return row as ThreadRow | undefined;
}

async function threadFaults(query: Query, id: string, thread: ThreadRow, derive: Derivation): Promise<StoreFault[]> {
  const faults: StoreFault[] = [];
  const hashes = new Set<string>();
  const contents = new Set<number>();
  let time = 0;
  for (const branch of await branchesOf(query, thread.number)) {
    const name = decodeText(branch.name);
    const say = (fault: string, isDerived: boolean, at?: StoredCommit): void => {
      faults.push({ branch: name, ...(at === undefined ? {} : { sequence: at.sequence, hash: at.hash }), fault, isDerived });
    };
    await sealFaults(query, id, branch, say);
    for (let from = branch.start; from < branch.length; from += AUDIT_PAGE) {
      const rows = await commitRows(query, branch, from);
      const marks = await markRows(query, branch.number, from);
      for (const row of rows) {
        const commit = commitOf(row);
        for (const column of changedColumns(row, commit, thread.number)) say(`its column ${column} is not what the commit says`, true, commit);
        const wanted = marksOf(commit).map((mark) => mark.toString("hex"));
        if (!isSame(wanted, marks.get(row.sequence) ?? [])) say("the index entries that queries find it by do not match the commit", true, commit);
        marks.delete(row.sequence);
        hashes.add(commit.hash);
        contents.add(row.content);
        time = Math.max(time, commit.time);
      }
      for (const sequence of marks.keys()) say(`there are index entries for place ${sequence}, but no commit`, true);
    }
    const [beyond] = await query(
      "SELECT count(*) AS marks FROM palimpsest_marks WHERE segment = $1 AND (sequence >= $2 OR sequence < $3)",
      branch.number,
      branch.length,
      branch.start,
    );
    if (Number((beyond as { marks: number } | undefined)?.marks) > 0) say("there are index entries for commits that it does not have", true);
  }
  if (thread.commits !== hashes.size) faults.push({ fault: `the thread claims ${thread.commits} commits, but ${hashes.size} are there`, isDerived: true });
  if (thread.time !== time) faults.push({ fault: "the thread has another time than its newest commit", isDerived: true });
  return [...faults, ...(await wordFaults(query, [...contents], derive))];
}

export async function branchesOf(query: Query, thread: number): Promise<AuditedBranch[]> {
  const rows = await query(
    `SELECT b.number, b.thread, b.name, p.name AS parent, b.start, b.length, b.head, b.origin, b.steps_hash, b.seal
     FROM palimpsest_branches b LEFT JOIN palimpsest_branches p ON p.number = b.parent WHERE b.thread = $1 ORDER BY b.number`,
    thread,
  );
  return rows as AuditedBranch[];
}

/** Reads the commits of a branch's own segment. */
export async function commitRows(query: Query, { number, length }: AuditedBranch, from: number): Promise<AuditedCommit[]> {
  const rows = await query(
    `SELECT c.sequence, c.thread, c.hash, c.kind, c.role, c.is_error, c.tokens, c.content, c.record,
       (SELECT t.hash FROM palimpsest_contents t WHERE t.number = c.content) AS content_hash
     FROM palimpsest_commits c WHERE c.segment = $1 AND c.sequence >= $2 AND c.sequence < $3 ORDER BY c.sequence`,
    number,
    from,
    Math.min(length, from + AUDIT_PAGE),
  );
  return rows as AuditedCommit[];
}

export async function contentRows(query: Query, numbers: readonly number[]): Promise<AuditedContent[]> {
  const places = numbers.map((_, index) => `$${index + 1}`).join(", ");
  const rows = await query(
    `SELECT t.number, t.hash, t.packed, w.words FROM palimpsest_contents t LEFT JOIN palimpsest_words w ON w.content = t.number WHERE t.number IN (${places})`,
    ...numbers,
  );
  return rows as AuditedContent[];
}

/** Undefined: the content itself is damaged. */
export async function wordsOf({ hash, packed }: AuditedContent, derive: Derivation): Promise<string | null | undefined> {
  try {
    const search = derive.searchOf(decodeText(hash), await unpackText(packed));
    return search === undefined ? undefined : (wordsText(search) ?? null);
  } catch {
    return undefined;
  }
}

/** Returns the columns that do not match the commit. */
export function changedColumns(row: AuditedCommit, commit: StoredCommit, thread: number): string[] {
  return [
    ...(row.thread === thread ? [] : ["thread"]),
    ...(row.kind === commit.kind ? [] : ["kind"]),
    ...(row.role === commit.role ? [] : ["role"]),
    ...(Number(row.is_error) === (commit.isError === true ? 1 : 0) ? [] : ["is_error"]),
    ...(row.tokens === commit.tokens ? [] : ["tokens"]),
  ];
}

async function markRows(query: Query, segment: number, from: number): Promise<Map<number, string[]>> {
  const rows = await query(
    "SELECT sequence, mark FROM palimpsest_marks WHERE segment = $1 AND sequence >= $2 AND sequence < $3",
    segment,
    from,
    from + AUDIT_PAGE,
  );
  const marks = new Map<number, string[]>();
  for (const { sequence, mark } of rows as { sequence: number; mark: Uint8Array }[])
    marks.set(sequence, [...(marks.get(sequence) ?? []), Buffer.from(mark).toString("hex")]);
  return marks;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.toSorted().join() === b.toSorted().join();
}

async function sealFaults(query: Query, thread: string, branch: AuditedBranch, say: (fault: string, isDerived: boolean) => void): Promise<void> {
  const { number, name, parent, start, length, head } = branch;
  const shared = await query(
    'SELECT segment AS number, start, stop, last_step AS "lastStep" FROM palimpsest_shared WHERE branch = $1 ORDER BY position',
    number,
  );
  const origin = originOf({
    thread,
    name: decodeText(name),
    parent: parent === null ? null : decodeText(parent),
    start,
    shared: shared as Segment[],
  });
  if (origin !== branch.origin) say("its name, its thread's, or where it left another branch was changed", false);
  if (sealOf({ origin: branch.origin, length, head, steps: branch.steps_hash }) !== branch.seal)
    say("its length, its last commit or its steps were changed: commits may have been cut off", false);
  // Read together with the row of the branch, so that both are from the same state.
  const rows = await query(
    "SELECT b.steps_hash, s.length, s.packed FROM palimpsest_branches b LEFT JOIN palimpsest_steps s ON s.segment = b.number WHERE b.number = $1 ORDER BY s.number",
    number,
  );
  let steps = NO_STEPS;
  let written = branch.steps_hash;
  for (const row of rows as { steps_hash: string; length: number | null; packed: Uint8Array | null }[]) {
    written = row.steps_hash;
    if (row.packed !== null && row.length !== null) steps = stepsWith(steps, row.length, row.packed);
  }
  if (steps !== written) say("a recorded call of the model was changed, or is missing", false);
}

async function wordFaults(query: Query, contents: readonly number[], derive: Derivation): Promise<StoreFault[]> {
  const faults: StoreFault[] = [];
  for (let from = 0; from < contents.length; from += AUDIT_PAGE) {
    for (const row of await contentRows(query, contents.slice(from, from + AUDIT_PAGE))) {
      const words = await wordsOf(row, derive);
      if (words !== undefined && words !== row.words)
        faults.push({ hash: decodeText(row.hash), fault: "the search index of this content does not match its text", isDerived: true });
    }
  }
  return faults;
}
