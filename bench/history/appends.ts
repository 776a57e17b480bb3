import { openHistory, type History } from "../../src/history/index.ts";
import type { Message } from "../../src/index.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { NewCommit } from "../../src/store/store.ts";
import { syntheticThread } from "../threads/synthetic.ts";
import type { Engine } from "./database.ts";
import { race, ratioOf, type Raced } from "./race.ts";
import { commitsOf, oneByOne, rowsOf } from "./rows.ts";

export interface AppendSpeed {
  readonly database: string;
  /** Commits per transaction. */
  readonly batch: number;
  readonly barePerSecond: number;
  readonly storePerSecond: number;
  readonly historyPerSecond: number;
  /** The time of the store, and of a history on it, over that of bare inserts. */
  readonly store: number;
  readonly history: number;
}

const ONE_BY_ONE = 20;
const BATCH = 100;
const MAIN = { thread: "t", branch: "main" };

export async function appendSpeeds(engine: Engine, rounds: number, progress: (text: string) => void): Promise<AppendSpeed[]> {
  return [await appendSpeed(engine, 1, ONE_BY_ONE, rounds, progress), await appendSpeed(engine, BATCH, BATCH, rounds, progress)];
}

/** `perRound` commits in every round. */
async function appendSpeed(engine: Engine, batch: number, perRound: number, rounds: number, progress: (text: string) => void): Promise<AppendSpeed> {
  const messages = oneByOne(syntheticThread((rounds + 1) * perRound)).slice(0, (rounds + 1) * perRound);
  const commits = await commitsOf(messages);
  const rows = await rowsOf(commits);
  const batches = <T>(all: readonly T[], round: number): T[][] =>
    Array.from({ length: perRound / batch }, (_, index) => all.slice(round * perRound + index * batch, round * perRound + (index + 1) * batch));
  const [bareBase, storeBase, historyBase] = [await engine.create(), await engine.create(), await engine.create()];
  const bare = await bareBase.openBare();
  const store = await openStore(storeBase.address);
  const history = await openHistory({ store: historyBase.address, thread: "t" });
  let head: string | null = null;
  const [bareTime, storeTime, historyTime] = await race(
    [
      {
        name: "bare inserts",
        run: async (round) => {
          for (const some of batches(rows, round)) await bare.insert(some);
        },
      },
      {
        name: "store",
        run: async (round) => {
          for (const some of batches<NewCommit>(commits, round)) {
            const outcome = await store.append(MAIN, head, some);
            if (!outcome.appended) throw new Error("The store has another head.");
            head = some.at(-1)?.hash ?? head;
          }
        },
      },
      {
        name: "history",
        run: async (round) => {
          for (const some of batches<Message>(messages, round)) await history.append(some);
        },
      },
    ],
    rounds,
    progress,
  );
  await Promise.all([bare.close(), store.close(), history.close()]);
  for (const base of [bareBase, storeBase, historyBase]) await base.remove();
  const perSecond = (raced: Raced | undefined): number => (1000 * perRound) / (raced?.medianMs ?? Number.NaN);
  return {
    database: engine.name,
    batch,
    barePerSecond: perSecond(bareTime),
    storePerSecond: perSecond(storeTime),
    historyPerSecond: perSecond(historyTime),
    store: ratioOf(storeTime, bareTime),
    history: ratioOf(historyTime, bareTime),
  };
}

export interface WritersSpeed {
  readonly database: string;
  readonly writers: number;
  readonly threads: number;
  /** Of all of them together. */
  readonly perSecond: number;
}

/** Histories that append one commit after another at the same time, through one store. */
export async function writersSpeeds(engine: Engine, rounds: number, progress: (text: string) => void): Promise<WritersSpeed[]> {
  const kinds = [
    { writers: 1, threads: 1 },
    { writers: 10, threads: 10 },
    { writers: 50, threads: 50 },
    { writers: 10, threads: 1 },
  ];
  const base = await engine.create();
  const store = await openStore(base.address);
  const messages = oneByOne(syntheticThread(10));
  const runners = await Promise.all(
    kinds.map(async ({ writers, threads }, kind) => {
      const histories = await Promise.all(Array.from({ length: writers }, (_, writer) => openHistory({ store, thread: `${kind}-${writer % threads}` })));
      return { name: `${writers} on ${threads}`, run: async () => void (await Promise.all(histories.map((history) => appendAll(history, messages)))) };
    }),
  );
  const raced = await race(runners, Math.max(2, Math.round(rounds / 5)), progress);
  await store.close();
  await base.remove();
  return kinds.map((kind, index) => ({
    database: engine.name,
    ...kind,
    perSecond: (1000 * messages.length * kind.writers) / (raced[index]?.medianMs ?? Number.NaN),
  }));
}

async function appendAll(history: History, messages: readonly Message[]): Promise<void> {
  for (const message of messages) await history.append([message]);
}
