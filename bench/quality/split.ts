import { seedOf } from "./measure/random.ts";
import type { Recording } from "./measure/recording.ts";

export interface Split {
  /** From 1. */
  readonly part: number;
  readonly of: number;
}

/** The recordings of one part of the tasks. Those of each source are dealt out in the order of a hash: parts are alike, and always the same. */
export function partOf(recordings: readonly Recording[], split: Split | undefined): readonly Recording[] {
  if (split === undefined) return recordings;
  const sources = new Map(recordings.map(({ task, source }) => [task, source]));
  const order = [...sources].map(([task, source]) => ({ task, key: `${source} ${seedOf(task).toString().padStart(SEED_DIGITS, "0")}` }));
  order.sort((a, b) => (a.key < b.key ? -1 : 1));
  const chosen = new Set(order.filter((_, number) => number % split.of === split.part - 1).map(({ task }) => task));
  return recordings.filter(({ task }) => chosen.has(task));
}

/** Enough for 32 bits. */
const SEED_DIGITS = 10;
