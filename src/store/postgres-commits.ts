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

/** PostgreSQL allows 65,535 values in a statement. */
const CONTENTS_AT_A_TIME = 1_000;

/** Reads commits, and no more of each segment than the query needs. */
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

/** Adds at least one commit. The thread is locked. All in one statement, unless there are very many contents. */
export async function addCommits(
  run: Run,
  { thread, number: branch, length, origin, steps_hash: steps }: BranchRow,
  added: readonly NewCommit[],
  packed: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  const contents = contentsOf(added);
  const known = new Map<string, number>();
  while (contents.length > CONTENTS_AT_A_TIME) await addContents(run, contents.splice(0, CONTENTS_AT_A_TIME), packed, known);
  const values: SqlValue[] = [];
  const bind = (value: SqlValue, type: string): string => `$${values.push(value)}::${type}`;
  const marks = added.flatMap((commit, index) => marksOf(commit).map((mark) => ({ mark, sequence: length + index })));
  const hashes = added.map(({ hash }) => encodeText(hash));
  const head = hashes.at(-1) ?? null;
  const columns = [
    bind(hashes, "text[]"),
    bind(
      added.map(({ kind }) => kind),
      "text[]",
    ),
    bind(
      added.map(({ role }) => role),
      "text[]",
    ),
    bind(
      added.map(({ isError }) => isError === true),
      "boolean[]",
    ),
    bind(
      added.map(({ tokens }) => tokens),
      "double precision[]",
    ),
    bind(
      added.map(({ content }) => encodeText(content.hash)),
      "text[]",
    ),
    bind(
      added.map(({ content }) => known.get(content.hash) ?? 0),
      "bigint[]",
    ),
    bind(added.map(recordOf), "text[]"),
  ];
  const [ofThread, ofBranch, from] = [bind(thread, "bigint"), bind(branch, "bigint"), bind(length, "bigint")];
  const newMarks = `${bind(
    marks.map(({ mark }) => mark),
    "bytea[]",
  )}, ${bind(
    marks.map(({ sequence }) => sequence),
    "bigint[]",
  )}`;
  const seal = sealOf({ origin, length: length + added.length, head, steps });
  await run(
    `WITH ${withContents(contents, packed, bind)}, added AS (
       SELECT * FROM unnest(${columns.join(", ")})
         WITH ORDINALITY AS a (hash, kind, role, is_error, tokens, content_hash, content, record, position)
     ), commits AS (
       INSERT INTO palimpsest_commits (segment, sequence, thread, hash, kind, role, is_error, tokens, content, record)
         SELECT ${ofBranch}, ${from} + a.position - 1, ${ofThread}, a.hash, a.kind, a.role, a.is_error, a.tokens, coalesce(c.number, a.content), a.record
         FROM added a LEFT JOIN contents c ON c.hash = a.content_hash
     ), marks AS (
       INSERT INTO palimpsest_marks (segment, mark, sequence) SELECT ${ofBranch}, * FROM unnest(${newMarks})
     ), branch AS (
       UPDATE palimpsest_branches SET length = ${from} + (SELECT count(*) FROM added), head = ${bind(head, "text")}, seal = ${bind(seal, "text")} WHERE number = ${ofBranch}
     )
     UPDATE palimpsest_threads SET time = greatest(time, ${bind(Math.max(...added.map(({ time }) => time)), "double precision")}), commits = commits + (
       SELECT count(DISTINCT hash) FROM added WHERE NOT EXISTS (SELECT 1 FROM palimpsest_commits c WHERE c.thread = ${ofThread} AND c.hash = added.hash)
     ) WHERE number = ${ofThread}`,
    ...values,
  );
}

interface NewContent {
  readonly hash: string;
  /** How many of the commits have this content. */
  readonly commits: number;
  readonly words: string | null;
}

/** Returns the contents in the order of their hashes: all writers lock them in this order, so that none deadlock. */
function contentsOf(added: readonly NewCommit[]): NewContent[] {
  const byHash = [...Map.groupBy(added, ({ content }) => content.hash)].sort(([a], [b]) => (a < b ? -1 : 1));
  return byHash.map(([hash, commits]) => ({ hash, commits: commits.length, words: wordsText(commits[0]?.search ?? []) ?? null }));
}

/** Adds these contents, or increases the commit count of existing ones, and adds their numbers to `numbers`. */
async function addContents(run: Run, contents: readonly NewContent[], packed: ReadonlyMap<string, Uint8Array>, numbers: Map<string, number>): Promise<void> {
  const values: SqlValue[] = [];
  const rows = await run(
    `WITH ${withContents(contents, packed, (value, type) => `$${values.push(value)}::${type}`)} SELECT number, hash FROM contents`,
    ...values,
  );
  for (const { number, hash } of rows as ContentNumberRow[]) numbers.set(decodeText(hash), number);
}

/** xmax is 0 in a row that was inserted, and not in one that existed, which already has its words. */
function withContents(contents: readonly NewContent[], packed: ReadonlyMap<string, Uint8Array>, bind: (value: SqlValue, type: string) => string): string {
  const given = contents.map(
    ({ hash, commits, words }) =>
      `(${bind(encodeText(hash), "text")}, ${bind(commits, "bigint")}, ${bind(packed.get(hash) ?? null, "bytea")}, ${bind(words, "text")})`,
  );
  return `given (hash, commits, packed, words) AS (VALUES ${given.join(", ")}), contents AS (
       INSERT INTO palimpsest_contents AS t (hash, commits, packed) SELECT hash, commits, packed FROM given
       ON CONFLICT (hash) DO UPDATE SET commits = t.commits + excluded.commits RETURNING number, hash, xmax = 0 AS is_new
     ), words AS (
       INSERT INTO palimpsest_words (content, words) SELECT number, words FROM contents JOIN given USING (hash) WHERE is_new AND words IS NOT NULL
     )`;
}

/** Deletes a locked thread with all that belongs to it, and contents that no commit has any more. */
export async function forgetThread(run: Run, thread: number): Promise<void> {
  const used = "(SELECT content, count(*) AS commits FROM palimpsest_commits WHERE thread = $1 GROUP BY content)";
  await run(`SELECT 1 FROM palimpsest_contents t JOIN ${used} u ON u.content = t.number ORDER BY t.hash FOR UPDATE OF t`, thread);
  await run(`UPDATE palimpsest_contents t SET commits = t.commits - u.commits FROM ${used} u WHERE u.content = t.number`, thread);
  await run(`DELETE FROM palimpsest_contents t USING ${used} u WHERE u.content = t.number AND t.commits = 0`, thread);
  await run("DELETE FROM palimpsest_threads WHERE number = $1", thread);
}
