import { auditStore, auditThread } from "./audit.ts";
import type { Query } from "./query.ts";
import { branchInfoOf, headOf, type BranchInfoRow } from "./branch-row.ts";
import { commitOf, type CommitRow } from "./commit-row.ts";
import { digestOf } from "./marks.ts";
import { packContents, unpackContents, unpackSteps, type ContentRow, type PackedRow, type SealedRow, type StepRow } from "./packed-rows.ts";
import { checkDrop, checkNotes, parseNoteQuery } from "./note-input.ts";
import { packNotes, readNotes } from "./note-rows.ts";
import { packText, unpackText } from "./packed-text.ts";
import { repairThread, type Statement } from "./repair.ts";
import { memoSeal, sealOf, stepsWith } from "./seals.ts";
import { forkSegments, rangesOf } from "./segments.ts";
import { addCommit, commitsOf } from "./sqlite-commits.ts";
import { databaseFaults } from "./sqlite-audit.ts";
import { addBranch, branchOf, segmentsOf, setEnd, shareSegment } from "./sqlite-branches.ts";
import { SqliteDatabase, type Durability } from "./sqlite-database.ts";
import { dropNotes, putNotes, renameNotes, selectNotes } from "./sqlite-notes.ts";
import { forget, retain } from "./sqlite-retention.ts";
import { sealThread } from "./sqlite-seals.ts";
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
import { isUnfinished, nameToBe, UNFINISHED, unfinishedId, unfinishedOf } from "./unfinished.ts";

/** Opens a store in a file, for any number of processes of one machine. `name` is its name in errors. */
export async function openSqliteStore(path: string, create: boolean, name: string, durability: Durability = "full"): Promise<Store> {
  return createSqliteStore(await SqliteDatabase.open(path, create, name, durability));
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
      const rows = this.#db.all(
        `SELECT id, commits, time FROM palimpsest_threads WHERE substr(id, 1, ${UNFINISHED.length}) <> ? ${after === undefined ? "" : "AND id > ?"} ORDER BY id LIMIT ?`,
        UNFINISHED,
        ...(after === undefined ? [] : [encodeText(after)]),
        limit,
      );
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
      const branch = branchOf(this.#db, ref);
      return branch && headOf(branch);
    });
  }

  fork(from: BranchRef, length: number, name: string): Promise<boolean> {
    return this.#db.write("fork", () => {
      checkCount(length, "length");
      checkName(name, "name");
      const parent = branchOf(this.#db, from);
      if (parent === undefined || parent.length < length || branchOf(this.#db, { thread: from.thread, branch: name }) !== undefined) return false;
      const segments = segmentsOf(this.#db, parent);
      const [last] = length === 0 ? [] : commitsOf(this.#db, rangesOf(segments, { from: length - 1, to: length, newestFirst: false }), parseQuery());
      const branch = addBranch(this.#db, parent.thread, name, { parent: parent.number, start: length, head: last?.hash ?? null });
      for (const [position, segment] of forkSegments(segments, length).entries()) shareSegment(this.#db, branch, position, segment, parent.number);
      sealThread(this.#db, parent.thread);
      return true;
    });
  }

  async append(ref: BranchRef, expected: string | null, added: readonly NewCommit[], notes: readonly Note[] = []): Promise<Appended> {
    checkAppend(ref, added);
    checkNotes(notes);
    const packed = await packContents(added);
    const noted = await packNotes(notes);
    return this.#db.write("append", () => {
      const branch = branchOf(this.#db, ref);
      const head = headOf(branch);
      if (head.hash !== expected) return { appended: false, head };
      const known = branch?.thread ?? this.#thread(ref.thread);
      if (known === undefined && isUnfinished(ref.thread)) return { appended: false, head };
      putNotes(this.#db, noted);
      if (added.length === 0 && noted.length > 0) return { appended: true, length: head.length };
      const thread = known ?? this.#addThread(ref.thread);
      const number = branch?.number ?? addBranch(this.#db, thread, ref.branch, { parent: null, start: 0, head: null });
      if (branch === undefined) sealThread(this.#db, thread);
      for (const [index, commit] of added.entries()) addCommit(this.#db, { thread, segment: number, sequence: head.length + index }, commit, packed);
      const length = head.length + added.length;
      const last = added.at(-1);
      if (last !== undefined) setEnd(this.#db, branch ?? branchOf(this.#db, ref), length, encodeText(last.hash));
      return { appended: true, length };
    });
  }

  commits(ref: BranchRef, query?: CommitQuery): Promise<StoredCommit[]> {
    return this.#db.read("commits", () => {
      const parsed = parseQuery(query);
      const branch = branchOf(this.#db, ref);
      return branch === undefined ? [] : commitsOf(this.#db, rangesOf(segmentsOf(this.#db, branch), parsed), parsed);
    });
  }

  byHash(thread: string, prefix: string, limit: number): Promise<StoredCommit[]> {
    return this.#db.read("byHash", () => {
      checkCount(limit, "limit");
      const start = encodeText(prefix);
      const rows = this.#db.all(
        `SELECT min(c.sequence) AS sequence, c.hash, t.hash AS content_hash, c.record
         FROM palimpsest_commits c LEFT JOIN palimpsest_contents t ON t.number = c.content
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
      const branch = branchOf(this.#db, ref);
      if (branch === undefined) throw branchMissing(ref);
      this.#db.run("INSERT INTO palimpsest_steps (segment, length, packed) VALUES (?, ?, ?)", branch.number, step.length, packed);
      const steps = stepsWith(branch.steps_hash, step.length, packed);
      const seal = sealOf({ origin: branch.origin, length: branch.length, head: branch.head, steps });
      this.#db.run("UPDATE palimpsest_branches SET steps_hash = ?, seal = ? WHERE number = ?", steps, seal, branch.number);
    });
  }

  async steps(ref: BranchRef): Promise<StoredStep[]> {
    const rows = await this.#db.read("steps", () => {
      const branch = branchOf(this.#db, ref);
      const segments = branch === undefined ? [] : segmentsOf(this.#db, branch);
      return segments.flatMap(({ number, stop, lastStep }) =>
        this.#db.all("SELECT length, packed FROM palimpsest_steps WHERE segment = ? AND number <= ? AND length <= ? ORDER BY number", number, lastStep, stop),
      );
    });
    return unpackSteps(this.name, rows as unknown as StepRow[]);
  }

  async putNotes(notes: readonly Note[]): Promise<void> {
    checkNotes(notes);
    const rows = await packNotes(notes);
    await this.#db.write("putNotes", () => putNotes(this.#db, rows));
  }

  async notes(query: NoteQuery): Promise<Note[]> {
    const parsed = parseNoteQuery(query);
    return readNotes(parsed.limit, (limit, offset) => this.#db.read("notes", () => selectNotes(this.#db, parsed, limit, offset)));
  }

  dropNotes(kind: string, olderThanMs: number, thread?: string): Promise<number> {
    return this.#db.write("dropNotes", () => {
      checkDrop(kind, olderThanMs);
      return dropNotes(this.#db, kind, olderThanMs, thread);
    });
  }

  async memo(key: string): Promise<string | undefined> {
    const row = await this.#db.read("memo", () => this.#memo(key));
    return row && unpackText(row.packed);
  }

  async setMemo(key: string, value: string): Promise<string> {
    const packed = await packText(value);
    const row = await this.#db.write("setMemo", (): PackedRow | undefined => {
      const there = this.#memo(key);
      if (there !== undefined) return there;
      const digest = digestOf(key);
      // A damaged memo is replaced.
      this.#db.run("INSERT OR REPLACE INTO palimpsest_memos (key, packed, seal) VALUES (?, ?, ?)", digest, packed, memoSeal(digest, packed));
      return undefined;
    });
    return row === undefined ? value : unpackText(row.packed);
  }

  beginImport(thread: string): Promise<string> {
    return this.#db.write("beginImport", () => {
      checkName(thread, "thread");
      const id = unfinishedId(thread);
      this.#addThread(id);
      return id;
    });
  }

  unfinished(): Promise<UnfinishedImport[]> {
    return this.#db.read("unfinished", () => {
      const rows = this.#db.all(
        `SELECT id, commits FROM palimpsest_threads WHERE substr(id, 1, ${UNFINISHED.length}) = ? ORDER BY number`,
        UNFINISHED,
      ) as unknown as { readonly id: string; readonly commits: number }[];
      return rows.map(({ id, commits }) => unfinishedOf(decodeText(id), commits));
    });
  }

  rename(from: string, to: string): Promise<boolean> {
    return this.#db.write("rename", () => {
      checkName(nameToBe(to), "to");
      const number = this.#thread(from);
      if (number === undefined || this.#thread(to) !== undefined) return false;
      this.#db.run("UPDATE palimpsest_threads SET id = ? WHERE number = ?", encodeText(to), number);
      sealThread(this.#db, number);
      renameNotes(this.#db, from, to);
      return true;
    });
  }

  forget(thread: string, ifCommits?: number): Promise<boolean> {
    return this.#db.write("forget", () => forget(this.#db, thread, ifCommits));
  }

  retain(olderThanMs: number, among?: readonly string[]): Promise<string[]> {
    return this.#db.write("retain", () => retain(this.#db, olderThanMs, among));
  }

  async audit(derive: Derivation, thread?: string): Promise<StoreFault[]> {
    return thread === undefined
      ? [...(await this.#db.read("audit", () => databaseFaults(this.#db))), ...(await auditStore(this.#query("audit")))]
      : auditThread(this.#query("audit"), thread, derive);
  }

  async repair(derive: Derivation, thread?: string): Promise<void> {
    if (thread === undefined) await this.#db.write("repair", () => this.#db.run("REINDEX"));
    else await repairThread(this.#query("repair"), (statements) => this.#runAll(statements), thread, derive);
  }

  close(): Promise<void> {
    this.#db.close();
    return Promise.resolve();
  }

  /** Runs one statement written for PostgreSQL, in which each value is used once, in order. */
  #query(operation: string): Query {
    return (sql, ...values) => this.#db.read(operation, () => this.#db.all(inSqlite(sql), ...values));
  }

  async #runAll(statements: readonly Statement[]): Promise<void> {
    await this.#db.write("repair", () => {
      for (const { sql, values } of statements) this.#db.run(inSqlite(sql), ...values);
    });
  }

  #thread(id: string): number | undefined {
    const row = this.#db.get("SELECT number FROM palimpsest_threads WHERE id = ?", encodeText(id));
    return row && Number(row["number"]);
  }

  #addThread(id: string): number {
    return Number(this.#db.get("INSERT INTO palimpsest_threads (id) VALUES (?) RETURNING number", encodeText(id))?.["number"]);
  }

  /** Undefined: there is none, or it is damaged. */
  #memo(key: string): PackedRow | undefined {
    const digest = digestOf(key);
    const row = this.#db.get("SELECT packed, seal FROM palimpsest_memos WHERE key = ?", digest) as unknown as SealedRow | undefined;
    return row !== undefined && memoSeal(digest, row.packed) === row.seal ? row : undefined;
  }
}

function inSqlite(sql: string): string {
  return sql.replaceAll(/\$\d+/g, "?");
}
