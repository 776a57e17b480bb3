import { openHistory, type History } from "../../src/history/index.ts";
import type { Message } from "../../src/index.ts";
import { createCompactor } from "../../src/conversation/index.ts";
import { openStore } from "../../src/store/open-store.ts";
import { median, quantile } from "../statistics.ts";
import { syntheticThread } from "../threads/synthetic.ts";
import { jsonBytes, type Conversations } from "./conversations.ts";
import { totalBytes, type Engine, type TableSize } from "./database.ts";

/** The average cost of a model call in a store. */
export interface CallCost {
  readonly database: string;
  readonly calls: number;
  readonly sessions: number;
  readonly conversationBytes: number;
  readonly storedBytes: number;
  /** Bytes of the write-ahead log. */
  readonly logBytes: number;
  readonly rows: Readonly<Record<string, number>>;
  /** Medians, in milliseconds. */
  readonly times: CallTimes;
  /** The 99th percentile of a whole call. */
  readonly slowMs: number;
}

export interface CallTimes {
  /** What was said since the last call. */
  readonly append: number;
  /** The edits of a policy. */
  readonly edits: number;
  readonly view: number;
  readonly record: number;
}

type Sample = { -readonly [K in keyof CallTimes]: number };

const FEWEST_CALLS = 15;
const MODEL = "claude-opus-5";

/** Replays sessions under a policy: every call appends, compacts, renders and is recorded. */
export async function callCost(engine: Engine, { threads }: Conversations, most: number, progress: (text: string) => void): Promise<CallCost> {
  const base = await engine.create();
  const before = await base.tables();
  const log = await base.watchLog();
  const store = await openStore(base.address);
  const samples: Sample[] = [];
  let sessions = 0;
  let conversationBytes = 0;
  for (const messages of threads.filter((thread) => thread.filter(({ role }) => role === "assistant").length >= FEWEST_CALLS)) {
    if (samples.length >= most) break;
    progress(`${samples.length} of ${most} calls`);
    const history = await openHistory({ store, thread: `t${sessions++}` });
    samples.push(...(await replay(history, messages)));
    conversationBytes += jsonBytes(messages);
  }
  const logBytes = await log.bytes();
  await log.end();
  await store.close();
  const after = await base.tables();
  await base.remove();
  const calls = samples.length;
  return {
    database: engine.name,
    calls,
    sessions,
    conversationBytes: conversationBytes / calls,
    storedBytes: (totalBytes(after) - totalBytes(before)) / calls,
    logBytes: logBytes / calls,
    rows: rowsPer(calls, after),
    times: timesOf(samples),
    slowMs: quantile(samples.map(sumOf), 0.99),
  };
}

async function replay(history: History, messages: readonly Message[]): Promise<Sample[]> {
  const compactor = createCompactor({ preset: "balanced", model: MODEL, highTokens: 30_000, lowTokens: 20_000 });
  const samples: Sample[] = [];
  for (let from = 0; from < messages.length;) {
    const call = messages.findIndex(({ role }, position) => position > from && role === "assistant");
    const to = call < 0 ? messages.length : call;
    const said = await timed(() => history.append(messages.slice(from, to)));
    samples.push({ append: said.ms, ...(await compaction(history, compactor)) });
    from = to;
  }
  return samples;
}

async function compaction(history: History, compactor: ReturnType<typeof createCompactor>): Promise<Omit<Sample, "append">> {
  const { edits } = compactor.next(await history.messages());
  const committed = await timed(() => history.commitEdits(edits));
  const viewed = await timed(() => history.view());
  const recorded = await timed(() => history.record({ model: MODEL, usage: { input_tokens: 1_000 } }));
  return { edits: committed.ms, view: viewed.ms, record: recorded.ms };
}

/** A compaction step on a thread of this many messages. */
export interface CompactionTime {
  readonly database: string;
  readonly messages: number;
  readonly edits: number;
  readonly commitMs: number;
  readonly viewMs: number;
}

const LENGTHS: readonly number[] = [100, 1_000, 10_000];

export async function compactionTimes(address: string, database: string, steps: number, progress: (text: string) => void): Promise<CompactionTime[]> {
  const times: CompactionTime[] = [];
  const store = await openStore(address);
  for (const length of LENGTHS) {
    progress(`a thread of ${length} messages`);
    const messages = syntheticThread(length + steps * 2);
    const history = await openHistory({ store, thread: `compaction-${length}` });
    await history.append(messages.slice(0, length));
    const compactor = createCompactor({ preset: "balanced", model: MODEL });
    compactor.next(await history.messages());
    const samples: Omit<Sample, "append">[] = [];
    for (let step = 0; step < steps; step++) {
      await history.append(messages.slice(length + step * 2, length + (step + 1) * 2));
      samples.push(await compaction(history, compactor));
    }
    const of = (key: "edits" | "view"): number => median(samples.map((sample) => sample[key]));
    times.push({ database, messages: length, edits: (await history.edits()).length, commitMs: of("edits"), viewMs: of("view") });
  }
  await store.close();
  return times;
}

async function timed<T>(act: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const start = performance.now();
  const value = await act();
  return { ms: performance.now() - start, value };
}

function rowsPer(calls: number, tables: readonly TableSize[]): Record<string, number> {
  return Object.fromEntries(tables.map(({ table, rows }) => [table.replace("palimpsest_", ""), rows / calls]));
}

function sumOf({ append, edits, view, record }: Sample): number {
  return append + edits + view + record;
}

function timesOf(samples: readonly Sample[]): CallTimes {
  const of = (key: keyof Sample): number => median(samples.map((sample) => sample[key]));
  return { append: of("append"), edits: of("edits"), view: of("view"), record: of("record") };
}
