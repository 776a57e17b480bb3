import { openStore, type Note, type OpenStoreOptions, type Store } from "../../src/history/index.ts";
import type { Engine } from "./database.ts";

export interface NoteTimes {
  /** With the durability, where the database has a choice. */
  readonly database: string;
  readonly operations: readonly OperationTime[];
}

interface OperationTime {
  readonly operation: string;
  readonly medianUs: number;
  readonly p99Us: number;
}

const THREADS = 200;
/** Of each thread, before anything is measured. */
const CALLS = 100;
const BEGAN_MS = 1_700_000_000_000;
/** About as large as most call records, so it is compressed. */
const RECORD: string = JSON.stringify(Array.from({ length: 40 }, (_, number) => ({ number, tool: `tool ${(number * 7919) % 13}`, tokens: number * 37 })));
const SHORT: string = JSON.stringify({ title: "Find the handlers, and say which one is unused.", calls: 12, tokens: 123_456 });

/** Times the notes that a client's call writes, and the lookups of lists and of the next call. */
export async function noteTimes(engine: Engine, rounds: number, progress: (text: string) => void): Promise<NoteTimes[]> {
  const times: NoteTimes[] = [];
  const choices: readonly OpenStoreOptions[] = engine.name === "SQLite" ? [{ durability: "full" }, { durability: "normal" }] : [{}];
  for (const options of choices) {
    const base = await engine.create();
    const store = await openStore(base.address, options);
    const database = options.durability === undefined ? engine.name : `${engine.name}, ${options.durability}`;
    progress(`fills a store: ${database}`);
    for (let thread = 0; thread < THREADS; thread++) await store.putNotes(Array.from({ length: CALLS }, (_, call) => notesOfCall(thread, call)).flat());
    const operations: OperationTime[] = [];
    for (const [operation, run] of Object.entries(OPERATIONS)) {
      progress(`${operation}: ${database}`);
      operations.push({ operation, ...(await timesOf(rounds, (round) => run(store, round))) });
    }
    times.push({ database, operations });
    await store.close();
    await base.remove();
  }
  return times;
}

const OPERATIONS: Readonly<Record<string, (store: Store, round: number) => Promise<unknown>>> = {
  "put one short note": (store, round) => store.putNotes(notesOfCall(round % THREADS, round).slice(0, 1)),
  "put the three notes of a call": (store, round) => store.putNotes(notesOfCall(round % THREADS, CALLS + round)),
  "look up 4 keys in all threads": (store, round) =>
    store.notes({ kind: "chain", keys: [1, 2, 3, 4].map((number) => chainKey((round * number) % THREADS, number)) }),
  "10 calls of a thread": (store, round) => store.notes({ kind: "call", thread: threadId(round % THREADS), prefix: "main/", limit: 10 }),
  "the 50 newest of a kind": (store) => store.notes({ kind: "about", newestFirst: true, limit: 50 }),
};

function notesOfCall(thread: number, call: number): Note[] {
  const of = { thread: threadId(thread), at: BEGAN_MS + call * 1_000 + thread };
  return [
    { ...of, kind: "about", key: "main", value: SHORT },
    { ...of, kind: "chain", key: chainKey(thread, call), value: "{}" },
    { ...of, kind: "call", key: `main/${String(call).padStart(8, "0")}`, value: RECORD },
  ];
}

function threadId(thread: number): string {
  return `thread-${thread}`;
}

function chainKey(thread: number, call: number): string {
  return `owner/${thread}-${call}`;
}

async function timesOf(rounds: number, run: (round: number) => Promise<unknown>): Promise<Omit<OperationTime, "operation">> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await run(round);
    times.push((performance.now() - start) * 1_000);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { medianUs: at(0.5), p99Us: at(0.99) };
}
