import type { BranchRow } from "./branch-row.ts";
import { commitConditions } from "./commit-conditions.ts";
import { commitOf, recordOf, type CommitRow } from "./commit-row.ts";
import { marksOf } from "./marks.ts";
import type { Run, SqlValue } from "./postgres-run.ts";
import { sealOf } from "./seals.ts";
import { wordsText } from "./search-words.ts";
import type { Range } from "./segments.ts";
import type { NewCommit, StoredCommit } from "./store.ts";
import type { ParsedQuery } from "./store-input.ts";
import { decodeText, encodeText } from "./stored-text.ts";

interface ContentNumberRow {
  readonly number: number;
  readonly hash: string;
}

/** PostgreSQL takes 65,535 values in a statement. */
const CONTENTS_AT_A_TIME = 1_000;

/** In each segment no more is read than is asked for. */
export async function commitsOf(run: Run, ranges: readonly Range[], query: ParsedQuery): Promise<StoredCommit[]> {
  if (ranges.length === 0 || query.limit === 0) return [];
  const values: SqlValue[] = [ranges.map(({ segment }) => segment), ranges.map(({ from }) => from), ranges.map(({ to }) => to), query.limit];
  const bind = (value: SqlValue): string => `$${values.push(value)}`;
  const conditions = [
    "c.segment = r.segment AND c.sequence >= r.start AND c.sequence < r.stop",
    ...commitConditions(query, { bind, segment: () => "r.segment", find: "strpos" }),
  ];
  const order = `ORDER BY c.sequence ${query.newestFirst ? "DESC" : "ASC"} LIMIT $4::bigint`;
  const rows = await run(
    `SELECT c.sequence, c.hash, t.hash AS content_hash, c.record
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS r (segment, start, stop)
     CROSS JOIN LATERAL (SELECT * FROM palimpsest_commits c WHERE ${conditions.join(" AND ")} ${order}) c
     LEFT JOIN palimpsest_contents t ON t.number = c.content ${order}`,
    ...values,
  );
  return (rows as CommitRow[]).map(commitOf);
}

/** At least one. The thread is locked. */
export async function addCommits(
  run: Run,
  { thread, number: branch, length, origin, steps_hash: steps }: BranchRow,
  added: readonly NewCommit[],
  packed: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const contents = await addContents(run, added, packed);
  const marks = added.flatMap((commit, index) => marksOf(commit).map((mark) => ({ mark, sequence: length + index })));
  const hashes = added.map(({ hash }) => encodeText(hash));
  await run(
    `WITH added AS (
       SELECT * FROM unnest($3::text[], $4::text[], $5::text[], $6::boolean[], $7::double precision[], $8::bigint[], $9::text[])
         WITH ORDINALITY AS a (hash, kind, role, is_error, tokens, content, record, position)
     ), commits AS (
       INSERT INTO palimpsest_commits (segment, sequence, thread, hash, kind, role, is_error, tokens, content, record)
         SELECT $2, $10::bigint + position - 1, $1, hash, kind, role, is_error, tokens, content, record FROM added
     ), marks AS (
       INSERT INTO palimpsest_marks (segment, mark, sequence) SELECT $2, * FROM unnest($11::bytea[], $12::bigint[])
     ), branch AS (
       UPDATE palimpsest_branches SET length = $10::bigint + (SELECT count(*) FROM added), head = $13, seal = $15 WHERE number = $2
     )
     UPDATE palimpsest_threads SET time = greatest(time, $14), commits = commits + (
       SELECT count(DISTINCT hash) FROM added WHERE NOT EXISTS (SELECT 1 FROM palimpsest_commits c WHERE c.thread = $1 AND c.hash = added.hash)
     ) WHERE number = $1`,
    thread,
    branch,
    hashes,
    added.map(({ kind }) => kind),
    added.map(({ role }) => role),
    added.map(({ isError }) => isError === true),
    added.map(({ tokens }) => tokens),
    added.map(({ content }) => contents.get(content.hash) ?? 0),
    added.map(recordOf),
    length,
    marks.map(({ mark }) => mark),
    marks.map(({ sequence }) => sequence),
    hashes.at(-1) ?? null,
    Math.max(...added.map(({ time }) => time)),
    sealOf({ origin, length: length + added.length, head: hashes.at(-1) ?? null, steps }),
  );
}

/** The numbers of the contents. Everybody takes them in the order of their hashes, so that no two wait for each other. */
async function addContents(run: Run, added: readonly NewCommit[], packed: ReadonlyMap<string, Uint8Array>): Promise<ReadonlyMap<string, number>> {
  const commitsByHash = [...Map.groupBy(added, ({ content }) => content.hash)].sort(([a], [b]) => (a < b ? -1 : 1));
  const numbers = new Map<string, number>();
  for (let from = 0; from < commitsByHash.length; from += CONTENTS_AT_A_TIME) {
    const values: SqlValue[] = [];
    const bind = (value: SqlValue, type: string): string => `$${values.push(value)}::${type}`;
    const given = commitsByHash.slice(from, from + CONTENTS_AT_A_TIME).map(([hash, commits]) => {
      const words = wordsText(commits[0]?.search ?? []) ?? null;
      return `(${bind(encodeText(hash), "text")}, ${bind(commits.length, "bigint")}, ${bind(packed.get(hash) ?? null, "bytea")}, ${bind(words, "text")})`;
    });
    // xmax is 0 in a row that was inserted, and not in one that was there: that one has its words.
    const rows = await run(
      `WITH given (hash, commits, packed, words) AS (VALUES ${given.join(", ")}), contents AS (
         INSERT INTO palimpsest_contents AS t (hash, commits, packed) SELECT hash, commits, packed FROM given
         ON CONFLICT (hash) DO UPDATE SET commits = t.commits + excluded.commits RETURNING number, hash, xmax = 0 AS is_new
       ), words AS (
         INSERT INTO palimpsest_words (content, words) SELECT number, words FROM contents JOIN given USING (hash) WHERE is_new AND words IS NOT NULL
       )
       SELECT number, hash FROM contents`,
      ...values,
    );
    for (const { number, hash } of rows as ContentNumberRow[]) numbers.set(decodeText(hash), number);
  }
  return numbers;
}

/** The thread is locked. What belongs to it goes with it; of its contents those that no commit has any more. */
export async function forgetThread(run: Run, thread: number): Promise<void> {
  const used = "(SELECT content, count(*) AS commits FROM palimpsest_commits WHERE thread = $1 GROUP BY content)";
  await run(`SELECT 1 FROM palimpsest_contents t JOIN ${used} u ON u.content = t.number ORDER BY t.hash FOR UPDATE OF t`, thread);
  await run(`UPDATE palimpsest_contents t SET commits = t.commits - u.commits FROM ${used} u WHERE u.content = t.number`, thread);
  await run(`DELETE FROM palimpsest_contents t USING ${used} u WHERE u.content = t.number AND t.commits = 0`, thread);
  await run("DELETE FROM palimpsest_threads WHERE number = $1", thread);
}
