import type { Run } from "./postgres-run.ts";
import { memoSeal, NO_STEPS, originOf, sealOf, stepsWith, type UnsealedRow } from "./seals.ts";
import type { Segment } from "./segments.ts";
import { decodeText } from "./stored-text.ts";

/** Seals all branches and memos as they are, for stores that were written before there were seals. */
export async function sealAll(run: Run): Promise<void> {
  for (const { number } of (await run("SELECT number FROM palimpsest_branches")) as { number: number }[]) {
    let steps = NO_STEPS;
    const rows = await run("SELECT length, packed FROM palimpsest_steps WHERE segment = $1 ORDER BY number", number);
    for (const { length, packed } of rows as { length: number; packed: Uint8Array }[]) steps = stepsWith(steps, length, packed);
    await run("UPDATE palimpsest_branches SET steps_hash = $1 WHERE number = $2", steps, number);
  }
  for (const { number } of (await run("SELECT number FROM palimpsest_threads")) as { number: number }[]) await sealThread(run, number);
  for (const { key, packed } of (await run("SELECT key, packed FROM palimpsest_memos")) as { key: Uint8Array; packed: Uint8Array }[])
    await run("UPDATE palimpsest_memos SET seal = $1 WHERE key = $2", memoSeal(key, packed), key);
}

/** Seals the branches of a locked thread after their names, places or shared segments have changed. */
export async function sealThread(run: Run, thread: number): Promise<void> {
  const rows = await run(
    `SELECT b.number, t.id, b.name, p.name AS parent, b.start, b.length, b.head, b.steps_hash
     FROM palimpsest_threads t JOIN palimpsest_branches b ON b.thread = t.number LEFT JOIN palimpsest_branches p ON p.number = b.parent
     WHERE t.number = $1`,
    thread,
  );
  for (const { number, id, name, parent, start, length, head, steps_hash } of rows as UnsealedRow[]) {
    const shared = await run(
      'SELECT segment AS number, start, stop, last_step AS "lastStep" FROM palimpsest_shared WHERE branch = $1 ORDER BY position',
      number,
    );
    const origin = originOf({
      thread: decodeText(id),
      name: decodeText(name),
      parent: parent === null ? null : decodeText(parent),
      start,
      shared: shared as Segment[],
    });
    const seal = sealOf({ origin, length, head, steps: steps_hash });
    await run("UPDATE palimpsest_branches SET origin = $1, seal = $2 WHERE number = $3", origin, seal, number);
  }
}
