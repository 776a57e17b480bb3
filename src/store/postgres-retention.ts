import { lockThread } from "./postgres-branches.ts";
import { forgetThread } from "./postgres-commits.ts";
import { forgetNotes } from "./postgres-notes.ts";
import type { Run } from "./postgres-run.ts";
import { compareText, decodeText, encodeText } from "./stored-text.ts";
import { isUnfinished, UNFINISHED } from "./unfinished.ts";

/** `isDone`: an earlier transaction deleted it, unless its COMMIT never arrived. */
export async function forget(run: Run, thread: string, ifCommits: number | undefined, isDone: boolean): Promise<boolean> {
  const number = await lockThread(run, thread);
  if (isDone && number === undefined) return true;
  const rows = number === undefined ? [] : await run("SELECT commits FROM palimpsest_threads WHERE number = $1", number);
  const [row] = rows as { readonly commits: number }[];
  if (ifCommits !== undefined && (row?.commits ?? 0) !== ifCommits) return false;
  if (number !== undefined) await forgetThread(run, number);
  return (await forgetNotes(run, thread)) || number !== undefined;
}

export async function retain(run: Run, olderThanMs: number, among?: readonly string[]): Promise<string[]> {
  const rows = await run(
    `SELECT number, id FROM palimpsest_threads t WHERE time < $1 AND NOT starts_with(id, $2) AND ($3::text[] IS NULL OR id = ANY ($3::text[]))
       AND NOT EXISTS (SELECT 1 FROM palimpsest_notes n WHERE n.thread = t.id AND n.at >= $1) ORDER BY id FOR UPDATE`,
    olderThanMs,
    UNFINISHED,
    among?.map(encodeText) ?? null,
  );
  const old = rows as { readonly number: number; readonly id: string }[];
  const alone = (await notesAlone(run, olderThanMs)).filter((id) => !isUnfinished(id) && among?.includes(id) !== false);
  const ids = [...new Set([...old.map(({ id }) => decodeText(id)), ...alone])].sort(compareText);
  for (const { number } of old) await forgetThread(run, number);
  for (const id of ids) await forgetNotes(run, id, olderThanMs);
  return ids;
}

/** Returns the ids of threads that have only notes, all of them older. */
async function notesAlone(run: Run, thanMs: number): Promise<string[]> {
  const rows = await run(
    `SELECT n.thread FROM palimpsest_notes n WHERE NOT EXISTS (SELECT 1 FROM palimpsest_threads t WHERE t.id = n.thread)
     GROUP BY n.thread HAVING max(n.at) < $1`,
    thanMs,
  );
  return (rows as { readonly thread: string }[]).map(({ thread }) => decodeText(thread));
}
