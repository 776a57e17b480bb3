import type { InputCounts } from "../protocol.ts";

/** Section F: the automatic cache of models before 5.6. */
const MINIMUM_TOKENS = 1024;
const STEP_TOKENS = 128;
const LIFETIME_MS = 10 * 60 * 1000;

export interface PromptCounts {
  readonly total: number;
  readonly cached: number;
}

/** Remembers the prompt, and counts how much of it is a prefix of an earlier prompt of the same model. */
export type PrefixCache = (model: string, pieces: readonly unknown[], nowMs: number) => PromptCounts;

interface Entry {
  readonly model: string;
  readonly keys: readonly string[];
  readonly atMs: number;
}

export function createPrefixCache(tokensOf: (piece: unknown) => number): PrefixCache {
  let entries: readonly Entry[] = [];
  return (model, pieces, nowMs) => {
    const keys = pieces.map((piece) => JSON.stringify(piece));
    const counts = pieces.map(tokensOf);
    let longest = 0;
    entries = entries.filter((entry) => {
      if (nowMs - entry.atMs > LIFETIME_MS) return false;
      if (entry.model !== model) return true;
      const common = commonLength(entry.keys, keys);
      longest = Math.max(longest, common);
      // The new entry contains all of the old one, and is newer.
      return common < entry.keys.length;
    });
    entries = [...entries, { model, keys, atMs: nowMs }];
    const matched = sum(counts.slice(0, longest));
    return { total: sum(counts), cached: matched < MINIMUM_TOKENS ? 0 : Math.floor(matched / STEP_TOKENS) * STEP_TOKENS };
  };
}

/** Writes are free. */
export function inputCounts({ total, cached }: PromptCounts): InputCounts {
  return { uncached: total - cached, cacheRead: cached, cacheWrite5m: 0, cacheWrite1h: 0, cacheWrite30m: 0, cacheWrite12h: 0 };
}

function commonLength(a: readonly string[], b: readonly string[]): number {
  const difference = a.findIndex((key, at) => key !== b[at]);
  return difference === -1 ? a.length : difference;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
