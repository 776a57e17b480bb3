import { openHistory, type History } from "../../src/history/index.ts";
import { measure, ratioOf, type Plan, type Task } from "../measure.ts";
import { syntheticThread } from "../threads/synthetic.ts";
import { TARGET, type Database, type Engine } from "./database.ts";
import { commitsOf, oneByOne, rowsOf } from "./rows.ts";

export interface QuerySpeed {
  readonly database: string;
  readonly query: string;
  readonly found: number;
  /** With only its own thread in the store. */
  readonly aloneMs: number;
  readonly fullMs: number;
  readonly ratio: number;
}

export interface QuerySpeeds {
  readonly threadCommits: number;
  readonly storeCommits: number;
  readonly fillSeconds: Readonly<Record<string, number>>;
  readonly queries: readonly QuerySpeed[];
}

const THREAD_COMMITS = 1_000;

interface Query {
  readonly name: string;
  run(history: History): Promise<readonly unknown[]>;
}

/** Queries the same thread alone, and in a store with many others that were written at the same time. */
export async function querySpeeds(engines: readonly Engine[], commits: number, plan: Plan, progress: (text: string) => void): Promise<QuerySpeeds> {
  const rows = await rowsOf(await commitsOf(oneByOne(syntheticThread(THREAD_COMMITS)).slice(0, THREAD_COMMITS)));
  const middle = rows[THREAD_COMMITS / 2]?.hash ?? "";
  const queries: Query[] = [
    { name: "by tool", run: (history) => history.findToolResults({ name: "web_fetch" }) },
    { name: "by position", run: (history) => history.log({ after: middle, limit: 100 }) },
    { name: "by text", run: (history) => history.log({ text: "migrations" }) },
  ];
  const threads = Math.max(2, Math.round(commits / THREAD_COMMITS));
  const fillSeconds: Record<string, number> = {};
  const bases: Database[] = [];
  const histories: History[] = [];
  const tasks: Task[] = [];
  const found: number[] = [];
  for (const engine of engines) {
    for (const count of [1, threads]) {
      progress(`fills ${engine.name} with ${(count * THREAD_COMMITS).toLocaleString("en")} commits`);
      const base = await engine.create();
      bases.push(base);
      const start = performance.now();
      await base.fill(rows, count);
      fillSeconds[engine.name] = (performance.now() - start) / 1000;
      const history = await openHistory({ store: base.address, thread: TARGET });
      histories.push(history);
      for (const query of queries) {
        tasks.push({ name: query.name, arm: () => async () => void (await query.run(history)) });
        found.push((await query.run(history)).length);
      }
    }
  }
  const measured = await measure(tasks, plan, progress);
  for (const history of histories) await history.close();
  for (const base of bases) await base.remove();
  const speeds = engines.flatMap((engine, index) =>
    queries.map((query, number): QuerySpeed => {
      const at = index * 2 * queries.length + number;
      const [alone, full] = [measured[at], measured[at + queries.length]];
      if (alone === undefined || full === undefined) throw new Error(`${query.name} was not measured.`);
      if (found[at] !== found[at + queries.length] || found[at] === 0) throw new Error(`${query.name} finds ${found[at]}, and ${found[at + queries.length]}.`);
      return {
        database: engine.name,
        query: query.name,
        found: found[at] ?? 0,
        aloneMs: alone.medianMs,
        fullMs: full.medianMs,
        ratio: ratioOf(full, alone),
      };
    }),
  );
  return { threadCommits: THREAD_COMMITS, storeCommits: threads * THREAD_COMMITS, fillSeconds, queries: speeds };
}
