import { openHistory } from "../../src/history/index.ts";
import { syntheticThread } from "../threads/synthetic.ts";
import type { Engine } from "./database.ts";
import { commitsOf, oneByOne, rowsOf } from "./rows.ts";

export interface Retention {
  readonly database: string;
  readonly threads: number;
  readonly threadCommits: number;
  /** To forget one thread. */
  readonly forgetMs: number;
  /** To retain, which forgets half of them, in one transaction. */
  readonly retainMs: number;
  readonly fullBytes: number;
  readonly forgottenBytes: number;
  /** After VACUUM (PostgreSQL: VACUUM FULL). */
  readonly vacuumedBytes: number;
}

const THREADS = 40;
const THREAD_COMMITS = 1_000;

export async function retention(engine: Engine, progress: (text: string) => void): Promise<Retention> {
  const base = await engine.create();
  progress("fills the store");
  await base.fill(await rowsOf(await commitsOf(oneByOne(syntheticThread(THREAD_COMMITS)).slice(0, THREAD_COMMITS))), THREADS);
  const fullBytes = await base.diskBytes();
  const history = await openHistory({ store: base.address });
  const forgetMs = await timed(() => history.forget("thread-1"));
  await base.makeNewer(THREADS / 2);
  progress("retains");
  const retainMs = await timed(() => history.retain({ olderThan: 2 }));
  await history.close();
  const forgottenBytes = await base.diskBytes();
  await base.vacuum();
  const vacuumedBytes = await base.diskBytes();
  await base.remove();
  return { database: engine.name, threads: THREADS, threadCommits: THREAD_COMMITS, forgetMs, retainMs, fullBytes, forgottenBytes, vacuumedBytes };
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}
