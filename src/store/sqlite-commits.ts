import type { SQLInputValue } from "node:sqlite";
import { commitConditions } from "./commit-conditions.ts";
import { commitOf, recordOf, type CommitRow } from "./commit-row.ts";
import { marksOf } from "./marks.ts";
import { wordsText } from "./search-words.ts";
import type { Range } from "./segments.ts";
import type { SqliteDatabase } from "./sqlite-database.ts";
import type { NewCommit, StoredCommit } from "./store.ts";
import type { ParsedQuery } from "./store-input.ts";
import { encodeText } from "./stored-text.ts";

interface CommitPlace {
  readonly thread: number;
  readonly segment: number;
  readonly sequence: number;
}

/** Reads commits segment by segment, so that no more is read than the query needs. */
export function commitsOf(db: SqliteDatabase, ranges: readonly Range[], query: ParsedQuery): StoredCommit[] {
  const found: StoredCommit[] = [];
  for (const range of ranges) {
    if (found.length >= query.limit) break;
    const { sql, values } = select(range, query, query.limit - found.length);
    found.push(...(db.all(sql, ...values) as unknown as CommitRow[]).map(commitOf));
  }
  return found;
}

function select({ segment, from, to }: Range, query: ParsedQuery, limit: number): { sql: string; values: SQLInputValue[] } {
  const values: SQLInputValue[] = [];
  // Numbered placeholders would be clearer, but Node 22.13 takes them for names.
  const bind = (value: SQLInputValue): string => {
    values.push(value);
    return "?";
  };
  const conditions = [
    `c.segment = ${bind(segment)} AND c.sequence >= ${bind(from)} AND c.sequence < ${bind(to)}`,
    ...commitConditions(query, { bind, segment: () => bind(segment), find: "instr" }),
  ];
  // Not a join, which would look up the content of every commit before testing the conditions.
  const sql = `SELECT c.sequence, c.hash, (SELECT t.hash FROM palimpsest_contents t WHERE t.number = c.content) AS content_hash, c.record
    FROM palimpsest_commits c
    WHERE ${conditions.join(" AND ")} ORDER BY c.sequence ${query.newestFirst ? "DESC" : "ASC"} LIMIT ${bind(limit)}`;
  return { sql, values };
}

export function addCommit(db: SqliteDatabase, place: CommitPlace, commit: NewCommit, packed: ReadonlyMap<string, Uint8Array>): void {
  const { thread, segment, sequence } = place;
  const hash = encodeText(commit.hash);
  const isNew = db.get("SELECT 1 FROM palimpsest_commits WHERE thread = ? AND hash = ?", thread, hash) === undefined;
  db.run("UPDATE palimpsest_threads SET commits = commits + ?, time = max(time, ?) WHERE number = ?", isNew ? 1 : 0, commit.time, thread);
  db.run(
    "INSERT INTO palimpsest_commits (segment, sequence, thread, hash, kind, role, is_error, tokens, content, record) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    segment,
    sequence,
    thread,
    hash,
    commit.kind,
    commit.role,
    commit.isError === true ? 1 : 0,
    commit.tokens,
    addContent(db, commit, packed),
    recordOf(commit),
  );
  for (const mark of marksOf(commit)) db.run("INSERT INTO palimpsest_marks (segment, mark, sequence) VALUES (?, ?, ?)", segment, mark, sequence);
}

function addContent(db: SqliteDatabase, { content, search }: NewCommit, packed: ReadonlyMap<string, Uint8Array>): number {
  const hash = encodeText(content.hash);
  const there = db.get("SELECT number FROM palimpsest_contents WHERE hash = ?", hash);
  if (there !== undefined) return Number(there["number"]);
  const added = db.get("INSERT INTO palimpsest_contents (hash, packed) VALUES (?, ?) RETURNING number", hash, packed.get(content.hash) ?? null);
  const number = Number(added?.["number"]);
  const words = wordsText(search);
  if (words !== undefined) db.run("INSERT INTO palimpsest_words (content, words) VALUES (?, ?)", number, words);
  return number;
}

/** Deletes a thread with all that belongs to it, and contents that no commit has any more. */
export function forgetThread(db: SqliteDatabase, thread: number): void {
  const contents = db.all("SELECT DISTINCT content FROM palimpsest_commits WHERE thread = ?", thread);
  db.run("DELETE FROM palimpsest_threads WHERE number = ?", thread);
  for (const { content } of contents as unknown as { content: number }[]) {
    db.run("DELETE FROM palimpsest_contents WHERE number = ? AND NOT EXISTS (SELECT 1 FROM palimpsest_commits c WHERE c.content = number)", content);
  }
}
