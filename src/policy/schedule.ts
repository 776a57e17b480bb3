import type { ModelInfo } from "../pricing/models/model.ts";

/** The effect of a batch from a position on. Everything but the position is in tokens. */
export interface Cut {
  readonly position: number;
  /** What is removed. */
  readonly removed: number;
  /** What stays after the cut, and has to be written to the cache again. */
  readonly rewritten: number;
  /** The gain over the expected calls, in tokens of uncached input: positive if the batch pays. */
  readonly gain: number;
}

/** What the provider charges, as multiples of uncached input. */
export interface Rates {
  readonly read: number;
  readonly write: number;
}

/**
 * Returns the cut that pays most. Everything removable after its start is removed too, at no extra cost, so only the start is chosen. `shown` and
 * `removable` are tokens per position; `calls` is the number of further calls expected; messages from `unsentFrom` on were never sent, so they have to be
 * written anyway and cost nothing extra. Undefined: no cut pays.
 */
export function bestCut(
  shown: readonly number[],
  removable: readonly number[],
  calls: number,
  { read, write }: Rates,
  unsentFrom: number = shown.length,
): Cut | undefined {
  let best: Cut | undefined;
  let removed = 0;
  let behind = 0;
  for (let position = shown.length - 1; position >= 0; position--) {
    const here = removable[position] ?? 0;
    if (position < unsentFrom) behind += (shown[position] ?? 0) - here;
    if (here === 0) continue;
    removed += here;
    const rewritten = behind;
    const gain = calls * read * removed - (write - read) * rewritten;
    if (gain > 0 && (best === undefined || gain > best.gain)) best = { position, removed, rewritten, gain };
  }
  return best;
}

export function ratesOf({ prices, cache }: ModelInfo): Rates {
  const write = cache.kind === "prefix" ? prices.input : (prices.cacheWrite[cache.defaultTtl] ?? prices.input);
  return { read: prices.cacheRead / prices.input, write: write / prices.input };
}
