import { randomUUID } from "node:crypto";
import { branchInfoOf, headOf, type BranchInfoRow } from "./branch-row.ts";
import { commitOf, type CommitRow } from "./commit-row.ts";
import { digestOf } from "./marks.ts";
import { auditStore, auditThread } from "./audit.ts";
import { packContents, unpackContents, unpackSteps, type ContentRow, type PackedRow, type SealedRow, type StepRow } from "./packed-rows.ts";
import { checkDrop, checkNotes, parseNoteQuery } from "./note-input.ts";
import { packNotes, readNotes } from "./note-rows.ts";
import { packText, unpackText } from "./packed-text.ts";
import { addBranch, branchOf, hasAppended, lockBranch, lockOrAddBranch, lockThread, segmentsOf, shareSegments } from "./postgres-branches.ts";
import { addCommits, commitsOf } from "./postgres-commits.ts";
import { PostgresDatabase } from "./postgres-database.ts";
import { appendNotes, dropNotes, putNotes, renameNotes, selectNotes } from "./postgres-notes.ts";
import type { Run } from "./postgres-run.ts";
import { isTaken } from "./postgres-errors.ts";
import { forget, retain } from "./postgres-retention.ts";
import { sealThread } from "./postgres-seals.ts";
import { repairThread, type Statement } from "./repair.ts";
import { memoSeal, sealOf, stepsWith } from "./seals.ts";
import { forkSegments, rangesOf } from "./segments.ts";
import type {
  Appended,
  BranchInfo,
  BranchRef,
  CommitQuery,
  Derivation,
  Head,
  NewCommit,
  Note,
  NoteQuery,
  Store,
  StoredCommit,
  StoredStep,
  StoreFault,
  ThreadInfo,
  UnfinishedImport,
} from "./store.ts";
import { branchMissing, checkAppend, checkCount, checkName, parsePage, parseQuery } from "./store-input.ts";
import { afterLast, decodeText, encodeText } from "./stored-text.ts";
import { nameToBe, UNFINISHED, unfinishedId, unfinishedOf } from "./unfinished.ts";

/** Opens a store in a database, for any number of machines. */
export async function openPostgresStore(url: string, create: boolean): Promise<Store> {
  return new PostgresStore(await PostgresDatabase.open(url, create));
}

class PostgresStore implements Store {
  readonly name: string;
  readonly #db: PostgresDatabase;

  constructor(db: PostgresDatabase) {
    this.name = db.name;
    this.#db = db;
  }

  async threads(page?: { readonly limit?: number; readonly after?: string }): Promise<ThreadInfo[]> {
    const { limit, after } = parsePage(page);
    const sql = `SELECT id, commits, time FROM palimpsest_threads WHERE NOT starts_with(id, $2) ${after === undefined ? "" : "AND id > $3"} ORDER BY id LIMIT $1::bigint`;
    const rows = await this.#db.read("threads", sql, limit, UNFINISHED, ...(after === undefined ? [] : [encodeText(after)]));
    return (rows as ThreadInfo[]).map(({ id, commits, time }) => ({ id: decodeText(id), commits, time }));
  }

  async branches(thread: string): Promise<BranchInfo[]> {
    const rows = await this.#db.read(
      "branches",
      `SELECT b.name, b.length, b.head, b.start, p.name AS parent
       FROM palimpsest_threads t JOIN palimpsest_branches b ON b.thread = t.number LEFT JOIN palimpsest_branches p ON p.number = b.parent
       WHERE t.id = $1 ORDER BY b.number`,
      encodeText(thread),
    );
    return (rows as BranchInfoRow[]).map(branchInfoOf);
  }

  async head(ref: BranchRef): Promise<Head | undefined> {
    const branch = await branchOf(this.#reader("head"), ref);
    return branch && headOf(branch);
  }

  async fork(from: BranchRef, length: number, name: string): Promise<boolean> {
    checkCount(length, "length");
    checkName(name, "name");
    const token = randomUUID();
    return this.#db.write("fork", async (run, unconfirmed) => {
      const parent = await lockBranch(run, from);
      const taken = await branchOf(run, { thread: from.thread, branch: name });
      if (unconfirmed === true && taken?.token === token) return true;
      if (parent === undefined || parent.length < length || taken !== undefined) return false;
      const segments = await segmentsOf(run, parent);
      const [last] = length === 0 ? [] : await commitsOf(run, rangesOf(segments, { from: length - 1, to: length, newestFirst: false }), parseQuery());
      const branch = await addBranch(run, parent.thread, name, { parent: parent.number, start: length, head: last?.hash ?? null, origin: "", token });
      await shareSegments(run, branch.number, forkSegments(segments, length), parent.number);
      await sealThread(run, parent.thread);
      return true;
    });
  }

  async append(ref: BranchRef, expected: string | null, added: readonly NewCommit[], notes: readonly Note[] = []): Promise<Appended> {
    checkAppend(ref, added);
    checkNotes(notes);
    const noted = await packNotes(notes);
    if (added.length === 0 && noted.length > 0)
      return this.#db.write<Appended>("append", (run, unconfirmed) => appendNotes(run, ref, expected, noted, unconfirmed));
    const packed = await packContents(added);
    return this.#db.write<Appended>("append", async (run, unconfirmed) => {
      const branch = expected === null ? await lockOrAddBranch(run, ref) : await lockBranch(run, ref);
      if (branch !== undefined && unconfirmed?.appended === true && (await hasAppended(run, branch, added, unconfirmed.length))) return unconfirmed;
      const head = headOf(branch);
      if (branch === undefined || head.hash !== expected) return { appended: false, head };
      if (added.length > 0) await addCommits(run, branch, added, packed);
      await putNotes(run, noted);
      return { appended: true, length: head.length + added.length };
    });
  }

  async commits(ref: BranchRef, query?: CommitQuery): Promise<StoredCommit[]> {
    const parsed = parseQuery(query);
    const run = this.#reader("commits");
    const branch = await branchOf(run, ref);
    return branch === undefined ? [] : commitsOf(run, rangesOf(await segmentsOf(run, branch), parsed), parsed);
  }

  async byHash(thread: string, prefix: string, limit: number): Promise<StoredCommit[]> {
    checkCount(limit, "limit");
    const start = encodeText(prefix);
    const rows = await this.#db.read(
      "byHash",
      `SELECT DISTINCT ON (c.hash) c.sequence, c.hash, t.hash AS content_hash, c.record
       FROM palimpsest_commits c LEFT JOIN palimpsest_contents t ON t.number = c.content
       WHERE c.thread = (SELECT number FROM palimpsest_threads WHERE id = $1) AND c.hash >= $2 AND c.hash < $3
       ORDER BY c.hash, c.sequence LIMIT $4::bigint`,
      encodeText(thread),
      start,
      afterLast(start),
      limit,
    );
    return (rows as CommitRow[]).map(commitOf);
  }

  async contents(hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#db.read("contents", "SELECT hash, packed FROM palimpsest_contents WHERE hash = ANY ($1::text[])", hashes.map(encodeText));
    return unpackContents(rows as ContentRow[]);
  }

  async addStep(ref: BranchRef, step: StoredStep): Promise<void> {
    checkCount(step.length, "step.length");
    const packed = await packText(step.value);
    const token = randomUUID();
    await this.#db.write<true>("addStep", async (run, unconfirmed) => {
      const branch = await lockBranch(run, ref);
      if (branch === undefined) throw branchMissing(ref);
      const isThere = unconfirmed && (await run("SELECT 1 FROM palimpsest_steps WHERE segment = $1 AND token = $2", branch.number, token)).length > 0;
      if (isThere !== true) {
        const steps = stepsWith(branch.steps_hash, step.length, packed);
        const seal = sealOf({ origin: branch.origin, length: branch.length, head: branch.head, steps });
        await run(
          `WITH step AS (INSERT INTO palimpsest_steps (segment, length, packed, token) VALUES ($1, $2, $3, $4))
           UPDATE palimpsest_branches SET steps_hash = $5, seal = $6 WHERE number = $1`,
          branch.number,
          step.length,
          packed,
          token,
          steps,
          seal,
        );
      }
      return true;
    });
  }

  async steps(ref: BranchRef): Promise<StoredStep[]> {
    const run = this.#reader("steps");
    const branch = await branchOf(run, ref);
    if (branch === undefined) return [];
    const segments = await segmentsOf(run, branch);
    const rows = await run(
      `SELECT s.length, s.packed
       FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS r (segment, last_step, stop, position)
       JOIN palimpsest_steps s ON s.segment = r.segment AND s.number <= r.last_step AND s.length <= r.stop
       ORDER BY r.position, s.number`,
      segments.map(({ number }) => number),
      segments.map(({ lastStep }) => lastStep),
      segments.map(({ stop }) => stop),
    );
    return unpackSteps(this.name, rows as StepRow[]);
  }

  async putNotes(notes: readonly Note[]): Promise<void> {
    checkNotes(notes);
    const rows = await packNotes(notes);
    // Safe to repeat if the acknowledgement was lost.
    await this.#db.write("putNotes", (run) => putNotes(run, rows));
  }

  async notes(query: NoteQuery): Promise<Note[]> {
    const parsed = parseNoteQuery(query);
    return readNotes(parsed.limit, (limit, offset) => selectNotes(this.#reader("notes"), parsed, limit, offset));
  }

  async dropNotes(kind: string, olderThanMs: number, thread?: string): Promise<number> {
    checkDrop(kind, olderThanMs);
    // If the acknowledgement was lost, the notes are already gone or are deleted now.
    return this.#db.write<number>("dropNotes", async (run, unconfirmed = 0) => Math.max(unconfirmed, await dropNotes(run, kind, olderThanMs, thread)));
  }

  async memo(key: string): Promise<string | undefined> {
    const row = await memoOf(this.#reader("memo"), key);
    return row && unpackText(row.packed);
  }

  async setMemo(key: string, value: string): Promise<string> {
    const packed = await packText(value);
    const row = await this.#db.write("setMemo", async (run) => {
      const digest = digestOf(key);
      const seal = memoSeal(digest, packed);
      await run("INSERT INTO palimpsest_memos (key, packed, seal) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", digest, packed, seal);
      const there = await memoOf(run, key);
      // A damaged memo is replaced.
      if (there === undefined) await run("UPDATE palimpsest_memos SET packed = $1, seal = $2 WHERE key = $3", packed, seal, digest);
      return there;
    });
    return row === undefined ? value : unpackText(row.packed);
  }

  async beginImport(thread: string): Promise<string> {
    checkName(thread, "thread");
    const id = unfinishedId(thread);
    // Safe to repeat if the acknowledgement was lost.
    await this.#db.write("beginImport", (run) => run("INSERT INTO palimpsest_threads (id) VALUES ($1) ON CONFLICT DO NOTHING", encodeText(id)));
    return id;
  }

  async unfinished(): Promise<UnfinishedImport[]> {
    const rows = await this.#db.read("unfinished", "SELECT id, commits FROM palimpsest_threads WHERE starts_with(id, $1) ORDER BY number", UNFINISHED);
    return (rows as { readonly id: string; readonly commits: number }[]).map(({ id, commits }) => unfinishedOf(decodeText(id), commits));
  }

  async rename(from: string, to: string): Promise<boolean> {
    checkName(nameToBe(to), "to");
    let renamed: number | undefined;
    return this.#db.write("rename", async (run, unconfirmed) => {
      const taken = await lockThread(run, to);
      if (unconfirmed === true && taken !== undefined && taken === renamed) return true;
      const number = await lockThread(run, from);
      if (number === undefined || taken !== undefined) return false;
      // If two threads take the name at the same time, one waits here and finds it taken.
      const changed = await run("UPDATE palimpsest_threads SET id = $1 WHERE number = $2 RETURNING number", encodeText(to), number).catch((error: unknown) => {
        if (isTaken(error)) return [];
        throw error;
      });
      if (changed.length === 0) return false;
      await sealThread(run, number);
      await renameNotes(run, from, to);
      renamed = number;
      return true;
    });
  }

  forget(thread: string, ifCommits?: number): Promise<boolean> {
    return this.#db.write<boolean>("forget", (run, unconfirmed = false) => forget(run, thread, ifCommits, unconfirmed));
  }

  retain(olderThanMs: number, among?: readonly string[]): Promise<string[]> {
    return this.#db.write<string[]>("retain", async (run, unconfirmed = []) => [...new Set([...unconfirmed, ...(await retain(run, olderThanMs, among))])]);
  }

  async audit(derive: Derivation, thread?: string): Promise<StoreFault[]> {
    const query = this.#reader("audit");
    return thread === undefined ? [...(await auditStore(query)), ...(await countFaults(query))] : auditThread(query, thread, derive);
  }

  async repair(derive: Derivation, thread?: string): Promise<void> {
    const runAll = async (statements: readonly Statement[]): Promise<void> => {
      await this.#db.write<true>("repair", async (run) => {
        for (const { sql, values } of statements) await run(sql, ...values);
        return true;
      });
    };
    if (thread === undefined) await runAll([{ sql: RECOUNT, values: [] }]);
    else await repairThread(this.#reader("repair"), runAll, thread, derive);
  }

  close(): Promise<void> {
    return this.#db.close();
  }

  #reader(operation: string): Run {
    return (sql, ...values) => this.#db.read(operation, sql, ...values);
  }
}

/** Undefined: there is none, or it is damaged. */
async function memoOf(run: Run, key: string): Promise<PackedRow | undefined> {
  const digest = digestOf(key);
  const [row] = (await run("SELECT packed, seal FROM palimpsest_memos WHERE key = $1", digest)) as SealedRow[];
  return row !== undefined && memoSeal(digest, row.packed) === row.seal ? row : undefined;
}

const USED = "(SELECT content, count(*) AS commits FROM palimpsest_commits GROUP BY content)";
const RECOUNT = `UPDATE palimpsest_contents t SET commits = u.commits FROM ${USED} u WHERE u.content = t.number AND u.commits <> t.commits`;

/** Checks the count of commits per content, which decides when a content may be deleted. */
async function countFaults(query: Run): Promise<StoreFault[]> {
  const rows = await query(
    `SELECT t.hash FROM palimpsest_contents t JOIN ${USED} u ON u.content = t.number WHERE t.commits <> u.commits ORDER BY t.hash LIMIT 100`,
  );
  return (rows as { readonly hash: string }[]).map(({ hash }) => ({
    hash: decodeText(hash),
    fault: "its count of commits is wrong",
    isDerived: true,
  }));
}
