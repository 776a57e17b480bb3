import { randomUUID } from "node:crypto";
import { branchInfoOf, headOf, type BranchInfoRow } from "./branch-row.ts";
import { commitOf, type CommitRow } from "./commit-row.ts";
import { digestOf } from "./marks.ts";
import { packContents, unpackContents, unpackSteps, type ContentRow, type PackedRow, type StepRow } from "./packed-rows.ts";
import { packText, unpackText } from "./packed-text.ts";
import { addBranch, branchOf, hasAppended, lockBranch, lockOrAddBranch, lockThread, segmentsOf, shareSegments } from "./postgres-branches.ts";
import { addCommits, commitsOf, forgetThread } from "./postgres-commits.ts";
import { PostgresDatabase, type Run } from "./postgres-database.ts";
import { forkSegments, rangesOf } from "./segments.ts";
import type { Appended, BranchInfo, BranchRef, CommitQuery, Head, NewCommit, Store, StoredCommit, StoredStep, ThreadInfo } from "./store.ts";
import { branchMissing, checkAppend, checkCount, checkName, parsePage, parseQuery } from "./store-input.ts";
import { afterLast, decodeText, encodeText } from "./stored-text.ts";

/** One database, for any number of machines. */
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
    const sql = `SELECT id, commits, time FROM palimpsest_threads ${after === undefined ? "" : "WHERE id > $2"} ORDER BY id LIMIT $1::bigint`;
    const rows = await this.#db.read("threads", sql, limit, ...(after === undefined ? [] : [encodeText(after)]));
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
      const branch = await addBranch(run, parent.thread, name, { parent: parent.number, start: length, head: last?.hash ?? null, token });
      await shareSegments(run, branch.number, forkSegments(segments, length), parent.number);
      return true;
    });
  }

  async append(ref: BranchRef, expected: string | null, added: readonly NewCommit[]): Promise<Appended> {
    checkAppend(ref, added);
    const packed = await packContents(added);
    return this.#db.write<Appended>("append", async (run, unconfirmed) => {
      const branch = expected === null ? await lockOrAddBranch(run, ref) : await lockBranch(run, ref);
      if (branch !== undefined && unconfirmed?.appended === true && (await hasAppended(run, branch, added, unconfirmed.length))) return unconfirmed;
      const head = headOf(branch);
      if (branch === undefined || head.hash !== expected) return { appended: false, head };
      if (added.length > 0) await addCommits(run, branch, added, packed);
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
       FROM palimpsest_commits c JOIN palimpsest_contents t ON t.number = c.content
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
        await run("INSERT INTO palimpsest_steps (segment, length, packed, token) VALUES ($1, $2, $3, $4)", branch.number, step.length, packed, token);
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
    return unpackSteps(rows as StepRow[]);
  }

  async memo(key: string): Promise<string | undefined> {
    const row = await memoOf(this.#reader("memo"), key);
    return row && unpackText(row.packed);
  }

  async setMemo(key: string, value: string): Promise<string> {
    const packed = await packText(value);
    const row = await this.#db.write("setMemo", async (run) => {
      await run("INSERT INTO palimpsest_memos (key, packed) VALUES ($1, $2) ON CONFLICT DO NOTHING", digestOf(key), packed);
      return memoOf(run, key);
    });
    return row === undefined ? value : unpackText(row.packed);
  }

  forget(thread: string): Promise<boolean> {
    return this.#db.write<boolean>("forget", async (run, unconfirmed) => {
      const number = await lockThread(run, thread);
      if (number !== undefined) await forgetThread(run, number);
      return number !== undefined || unconfirmed === true;
    });
  }

  retain(olderThanMs: number): Promise<string[]> {
    return this.#db.write<string[]>("retain", async (run, unconfirmed = []) => {
      const rows = await run("SELECT number, id FROM palimpsest_threads WHERE time < $1 ORDER BY id FOR UPDATE", olderThanMs);
      const old = rows as { readonly number: number; readonly id: string }[];
      for (const { number } of old) await forgetThread(run, number);
      return [...new Set([...unconfirmed, ...old.map(({ id }) => decodeText(id))])];
    });
  }

  close(): Promise<void> {
    return this.#db.close();
  }

  #reader(operation: string): Run {
    return (sql, ...values) => this.#db.read(operation, sql, ...values);
  }
}

async function memoOf(run: Run, key: string): Promise<PackedRow | undefined> {
  const [row] = (await run("SELECT packed FROM palimpsest_memos WHERE key = $1", digestOf(key))) as PackedRow[];
  return row;
}
