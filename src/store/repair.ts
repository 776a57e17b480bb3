import { AUDIT_PAGE, branchesOf, changedColumns, commitRows, contentRows, wordsOf, type AuditedBranch, type AuditedCommit } from "./audit.ts";
import { commitOf } from "./commit-row.ts";
import { marksOf } from "./marks.ts";
import type { Query } from "./query.ts";
import type { Derivation, StoredCommit } from "./store.ts";
import { encodeText } from "./stored-text.ts";

/** Each `$n` of the SQL is used once, in order. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly (string | number | Uint8Array)[];
}

interface WholeCommit {
  readonly row: AuditedCommit;
  readonly commit: StoredCommit;
}

/** Rebuilds columns, marks, words and counts of a thread from its undamaged commits and contents. `runAll` runs in one transaction. */
export async function repairThread(query: Query, runAll: (statements: readonly Statement[]) => Promise<void>, id: string, derive: Derivation): Promise<void> {
  const [found] = await query("SELECT number FROM palimpsest_threads WHERE id = $1", encodeText(id));
  if (found === undefined) return;
  const thread = (found as { number: number }).number;
  const hashes = new Set<string>();
  let time = 0;
  for (const branch of await branchesOf(query, thread)) {
    await runAll([beyond(branch)]);
    for (let from = branch.start; from < branch.length; from += AUDIT_PAGE) {
      const commits = (await commitRows(query, branch, from)).map((row): WholeCommit => ({ row, commit: commitOf(row) }));
      for (const { commit } of commits) {
        hashes.add(commit.hash);
        time = Math.max(time, commit.time);
      }
      const whole = commits.filter(({ commit }) => derive.isWhole(commit));
      await runAll(whole.flatMap((one) => commitStatements(branch, one, thread)));
      await runAll(await wordStatements(query, whole, derive));
    }
  }
  await runAll([{ sql: "UPDATE palimpsest_threads SET commits = $1, time = $2 WHERE number = $3", values: [hashes.size, time, thread] }]);
}

/** Deletes marks at places where the branch has no commit. */
function beyond({ number, start, length }: AuditedBranch): Statement {
  return { sql: "DELETE FROM palimpsest_marks WHERE segment = $1 AND (sequence >= $2 OR sequence < $3)", values: [number, length, start] };
}

function commitStatements({ number }: AuditedBranch, { row, commit }: WholeCommit, thread: number): Statement[] {
  const { kind, role, tokens } = commit;
  const columns: Statement = {
    // A comparison is a number in SQLite and a boolean in PostgreSQL, as the column is.
    sql: `UPDATE palimpsest_commits SET thread = $1, kind = $2, role = $3, is_error = (0 = $4), tokens = $5 WHERE segment = $6 AND sequence = $7`,
    values: [thread, kind, role, commit.isError === true ? 0 : 1, tokens, number, row.sequence],
  };
  return [
    ...(changedColumns(row, commit, thread).length === 0 ? [] : [columns]),
    { sql: "DELETE FROM palimpsest_marks WHERE segment = $1 AND sequence = $2", values: [number, row.sequence] },
    ...marksOf(commit).map((mark): Statement => ({
      sql: "INSERT INTO palimpsest_marks (segment, mark, sequence) VALUES ($1, $2, $3)",
      values: [number, mark, row.sequence],
    })),
  ];
}

async function wordStatements(query: Query, commits: readonly WholeCommit[], derive: Derivation): Promise<Statement[]> {
  if (commits.length === 0) return [];
  const statements: Statement[] = [];
  for (const row of await contentRows(query, [...new Set(commits.map((one) => one.row.content))])) {
    const words = await wordsOf(row, derive);
    if (words === undefined || words === row.words) continue;
    statements.push({ sql: "DELETE FROM palimpsest_words WHERE content = $1", values: [row.number] });
    if (words !== null) statements.push({ sql: "INSERT INTO palimpsest_words (content, words) VALUES ($1, $2)", values: [row.number, words] });
  }
  return statements;
}
