import type { ModelInfo } from "../pricing/models/model.ts";

/** What a batch from some position on would do. All but the position are tokens. */
export interface Cut {
  readonly position: number;
  /** What goes. */
  readonly removed: number;
  /** What stays behind the cut, and has to be written to the cache again. */
  readonly rewritten: number;
  /** In tokens of uncached input, over the calls that it is counted to pay off over: positive if it pays. */
  readonly gain: number;
}

/** What the provider charges, as multiples of uncached input. */
export interface Rates {
  readonly read: number;
  readonly write: number;
}

/**
 * The cut that pays most: all that can go behind it goes with it, for nothing, so only where it begins is to be chosen. `shown` and
 * `removable` are tokens per position; `calls` is how many further calls are expected; what comes from `unsentFrom` on was never sent, so it has to be
 * written in any case and costs nothing more. Undefined: no cut pays.
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
