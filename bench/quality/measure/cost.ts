/** The size of one request. */
export interface CallSize {
  readonly tokens: number;
  /** The longest common prefix of blocks with the previous request. */
  readonly sharedTokens: number;
  /** The time since the previous request. */
  readonly idleMs: number;
  /** The tokens that each recall of the step brings back. */
  readonly recalledTokens: readonly number[];
}

/** In units of an input token that is not cached. */
export interface PriceRule {
  readonly write: number;
  readonly read: number;
  /** The lifetime of a cache entry. */
  readonly ttlMs: number;
}

export const DEFAULT_RULE: PriceRule = { write: 1.25, read: 0.1, ttlMs: 300_000 };

/** An output token costs about five input tokens; a recall is a short call. */
const OUTPUT_PRICE = 5;
const RECALL_OUTPUT_TOKENS = 150;

export interface Cost {
  readonly sent: number;
  /** The calls that recalls add. */
  readonly recalls: number;
}

export function costOfCalls(calls: readonly CallSize[], { write, read, ttlMs }: PriceRule): Cost {
  let sent = 0;
  let recalls = 0;
  for (const { tokens, sharedTokens, idleMs, recalledTokens } of calls) {
    const cached = idleMs > ttlMs ? 0 : sharedTokens;
    sent += read * cached + write * (tokens - cached);
    for (const size of recalledTokens) recalls += read * tokens + write * size + OUTPUT_PRICE * RECALL_OUTPUT_TOKENS;
  }
  return { sent, recalls };
}
