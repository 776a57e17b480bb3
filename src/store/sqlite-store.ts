import { branchInfoOf, headOf, type BranchInfoRow, type BranchRow } from "./branch-row.ts";
import { commitOf, type CommitRow } from "./commit-row.ts";
import { digestOf } from "./marks.ts";
import { packContents, unpackContents, unpackSteps, type ContentRow, type PackedRow, type StepRow } from "./packed-rows.ts";
import { packText, unpackText } from "./packed-text.ts";
import { forkSegments, ownSegment, rangesOf, type Segment } from "./segments.ts";
import { addCommit, commitsOf, forgetThread } from "./sqlite-commits.ts";
import { SqliteDatabase } from "./sqlite-database.ts";
import type { Appended, BranchInfo, BranchRef, CommitQuery, Head, NewCommit, Store, StoredCommit, StoredStep, ThreadInfo } from "./store.ts";
import { branchMissing, checkAppend, checkCount, checkName, parsePage, parseQuery } from "./store-input.ts";
import { afterLast, decodeText, encodeText } from "./stored-text.ts";

/** One file, for any number of processes of one machine. */
export async function openSqliteStore(path: string, create: boolean): Promise<Store> {
  return createSqliteStore(await SqliteDatabase.open(path, create));
}

export function createSqliteStore(db: SqliteDatabase): Store {
  return new SqliteStore(db);
}

class SqliteStore implements Store {
  readonly name: string;
  readonly #db: SqliteDatabase;

  constructor(db: SqliteDatabase) {
    this.name = db.name;
    this.#db = db;
  }

  threads(page?: { readonly limit?: number; readonly after?: string }): Promise<ThreadInfo[]> {
    return this.#db.read("threads", () => {
      const { limit, after } = parsePage(page);
      const rows =
        after === undefined
          ? this.#db.all("SELECT id, commits, time FROM palimpsest_threads ORDER BY id LIMIT ?", limit)
          : this.#db.all("SELECT id, commits, time FROM palimpsest_threads WHERE id > ? ORDER BY id LIMIT ?", encodeText(after), limit);
      return (rows as unknown as ThreadInfo[]).map(({ id, commits, time }) => ({ id: decodeText(id), commits, time }));
    });
  }

  branches(thread: string): Promise<BranchInfo[]> {
    return this.#db.read("branches", () => {
      const rows = this.#db.all(
        `SELECT b.name, b.length, b.head, b.start, p.name AS parent
         FROM palimpsest_threads t JOIN palimpsest_branches b ON b.thread = t.number LEFT JOIN palimpsest_branches p ON p.number = b.parent
         WHERE t.id = ? ORDER BY b.number`,
        encodeText(thread),
      );
      return (rows as unknown as BranchInfoRow[]).map(branchInfoOf);
    });
  }

  head(ref: BranchRef): Promise<Head | undefined> {
    return this.#db.read("head", () => {
      const branch = this.#branch(ref);
      return branch && headOf(branch);
    });
  }

  fork(from: BranchRef, length: number, name: string): Promise<boolean> {
    return this.#db.write("fork", () => {
      checkCount(length, "length");
      checkName(name, "name");
      const parent = this.#branch(from);
      if (parent === undefined || parent.length < length || this.#branch({ thread: from.thread, branch: name }) !== undefined) return false;
      const segments = this.#segments(parent);
      const [last] = length === 0 ? [] : commitsOf(this.#db, rangesOf(segments, { from: length - 1, to: length, newestFirst: false }), parseQuery());
      const branch = this.#addBranch(parent.thread, name, { parent: parent.number, start: length, head: last?.hash ?? null });
      for (const [position, segment] of forkSegments(segments, length).entries()) this.#share(branch, position, segment, parent.number);
      return true;
    });
  }

  async append(ref: BranchRef, expected: string | null, added: readonly NewCommit[]): Promise<Appended> {
    checkAppend(ref, added);
    const packed = await packContents(added);
    return this.#db.write("append", () => {
      const branch = this.#branch(ref);
      const head = headOf(branch);
      if (head.hash !== expected) return { appended: false, head };
      const thread = branch?.thread ?? this.#thread(ref.thread) ?? this.#addThread(ref.thread);
      const number = branch?.number ?? this.#addBranch(thread, ref.branch, { parent: null, start: 0, head: null });
      for (const [index, commit] of added.entries()) addCommit(this.#db, { thread, segment: number, sequence: head.length + index }, commit, packed);
      const length = head.length + added.length;
      const last = added.at(-1);
      if (last !== undefined) this.#db.run("UPDATE palimpsest_branches SET length = ?, head = ? WHERE number = ?", length, encodeText(last.hash), number);
      return { appended: true, length };
    });
  }

  commits(ref: BranchRef, query?: CommitQuery): Promise<StoredCommit[]> {
    return this.#db.read("commits", () => {
      const parsed = parseQuery(query);
      const branch = this.#branch(ref);
      return branch === undefined ? [] : commitsOf(this.#db, rangesOf(this.#segments(branch), parsed), parsed);
    });
  }

  byHash(thread: string, prefix: string, limit: number): Promise<StoredCommit[]> {
    return this.#db.read("byHash", () => {
      checkCount(limit, "limit");
      const start = encodeText(prefix);
      const rows = this.#db.all(
        `SELECT min(c.sequence) AS sequence, c.hash, t.hash AS content_hash, c.record
         FROM palimpsest_commits c JOIN palimpsest_contents t ON t.number = c.content
         WHERE c.thread = (SELECT number FROM palimpsest_threads WHERE id = ?) AND c.hash >= ? AND c.hash < ?
         GROUP BY c.hash ORDER BY c.hash LIMIT ?`,
        encodeText(thread),
        start,
        afterLast(start),
        limit,
      );
      return (rows as unknown as CommitRow[]).map(commitOf);
    });
  }

  async contents(hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = await this.#db.read("contents", () =>
      hashes.flatMap((hash) => this.#db.all("SELECT hash, packed FROM palimpsest_contents WHERE hash = ?", encodeText(hash))),
    );
    return unpackContents(found as unknown as ContentRow[]);
  }

  async addStep(ref: BranchRef, step: StoredStep): Promise<void> {
    checkCount(step.length, "step.length");
    const packed = await packText(step.value);
    await this.#db.write("addStep", () => {
      const branch = this.#branch(ref);
      if (branch === undefined) throw branchMissing(ref);
      this.#db.run("INSERT INTO palimpsest_steps (segment, length, packed) VALUES (?, ?, ?)", branch.number, step.length, packed);
    });
  }

  async steps(ref: BranchRef): Promise<StoredStep[]> {
    const rows = await this.#db.read("steps", () => {
      const branch = this.#branch(ref);
      const segments = branch === undefined ? [] : this.#segments(branch);
      return segments.flatMap(({ number, stop, lastStep }) =>
        this.#db.all("SELECT length, packed FROM palimpsest_steps WHERE segment = ? AND number <= ? AND length <= ? ORDER BY number", number, lastStep, stop),
      );
    });
    return unpackSteps(rows as unknown as StepRow[]);
  }

  async memo(key: string): Promise<string | undefined> {
    const row = await this.#db.read("memo", () => this.#memo(key));
    return row && unpackText(row.packed);
  }

  async setMemo(key: string, value: string): Promise<string> {
    const packed = await packText(value);
    const row = await this.#db.write("setMemo", () => {
      this.#db.run("INSERT INTO palimpsest_memos (key, packed) VALUES (?, ?) ON CONFLICT DO NOTHING", digestOf(key), packed);
      return this.#memo(key);
    });
    return row === undefined ? value : unpackText(row.packed);
  }

  forget(thread: string): Promise<boolean> {
    return this.#db.write("forget", () => {
      const number = this.#thread(thread);
      if (number === undefined) return false;
      forgetThread(this.#db, number);
      return true;
    });
  }

  retain(olderThanMs: number): Promise<string[]> {
    return this.#db.write("retain", () => {
      const rows = this.#db.all("SELECT number, id FROM palimpsest_threads WHERE time < ? ORDER BY id", olderThanMs) as unknown as {
        number: number;
        id: string;
      }[];
      for (const { number } of rows) forgetThread(this.#db, number);
      return rows.map(({ id }) => decodeText(id));
    });
  }

  close(): Promise<void> {
    this.#db.close();
    return Promise.resolve();
  }

  #thread(id: string): number | undefined {
    const row = this.#db.get("SELECT number FROM palimpsest_threads WHERE id = ?", encodeText(id));
    return row && Number(row["number"]);
  }

  #addThread(id: string): number {
    return Number(this.#db.get("INSERT INTO palimpsest_threads (id) VALUES (?) RETURNING number", encodeText(id))?.["number"]);
  }

  #branch({ thread, branch }: BranchRef): BranchRow | undefined {
    const row = this.#db.get(
      `SELECT b.number, b.thread, b.start, b.length, b.head
       FROM palimpsest_threads t JOIN palimpsest_branches b ON b.thread = t.number WHERE t.id = ? AND b.name = ?`,
      encodeText(thread),
      encodeText(branch),
    );
    return row as unknown as BranchRow | undefined;
  }

  #addBranch(thread: number, name: string, at: { readonly parent: number | null; readonly start: number; readonly head: string | null }): number {
    const row = this.#db.get(
      "INSERT INTO palimpsest_branches (thread, name, parent, start, length, head) VALUES (?, ?, ?, ?, ?, ?) RETURNING number",
      thread,
      encodeText(name),
      at.parent,
      at.start,
      at.start,
      at.head === null ? null : encodeText(at.head),
    );
    return Number(row?.["number"]);
  }

  /** In the order of their commits; its own is the last. */
  #segments({ number, start }: BranchRow): Segment[] {
    const shared = this.#db.all(
      "SELECT segment AS number, start, stop, last_step AS lastStep FROM palimpsest_shared WHERE branch = ? ORDER BY position",
      number,
    );
    return [...(shared as unknown as Segment[]), ownSegment(number, start)];
  }

  /** Of the parent's own segment the steps that are there by now are shared. */
  #share(branch: number, position: number, { number, start, stop, lastStep }: Segment, parent: number): void {
    const last =
      number === parent ? Number(this.#db.get("SELECT max(number) AS last FROM palimpsest_steps WHERE segment = ?", number)?.["last"] ?? 0) : lastStep;
    this.#db.run(
      "INSERT INTO palimpsest_shared (branch, position, segment, start, stop, last_step) VALUES (?, ?, ?, ?, ?, ?)",
      branch,
      position,
      number,
      start,
      stop,
      last,
    );
  }

  #memo(key: string): PackedRow | undefined {
    return this.#db.get("SELECT packed FROM palimpsest_memos WHERE key = ?", digestOf(key)) as unknown as PackedRow | undefined;
  }
}
