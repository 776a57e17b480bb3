import type { RequestBill } from "../../pricing/billing/bill.ts";
import { requestBill } from "../../pricing/billing/bill.ts";
import { pricesFor } from "../../pricing/billing/prices-for.ts";
import { cachedShares, type GrowingRequest } from "../../pricing/append-only-bill.ts";
import type { ModelInfo } from "../../pricing/models/model.ts";
import type { ObservedUsage } from "./wire.ts";

/** Of one call of the client's, its hidden rounds included; or of many together. */
export interface CallMetrics {
  readonly calls: number;
  /** Requests that were sent for it: more than calls where there were hidden rounds, or a rescue. */
  readonly requests: number;
  /** What the model read: past, from and into the cache. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly dollars: number;
  /** What the model would have read, and what it would have cost, had the client's own messages been sent: estimated, scaled to what was reported. */
  readonly fullTokens: number;
  readonly fullDollars: number;
  /** `fullDollars` − `dollars`. */
  readonly dollarsSaved: number;
}

export const NO_METRICS: CallMetrics = {
  calls: 0,
  requests: 0,
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  dollars: 0,
  fullTokens: 0,
  fullDollars: 0,
  dollarsSaved: 0,
};

export function sumOfMetrics(a: CallMetrics, b: CallMetrics): CallMetrics {
  return Object.fromEntries(Object.entries(a).map(([name, value]) => [name, (value as number) + b[name as keyof CallMetrics]])) as unknown as CallMetrics;
}

/** What one request cost, as the provider reported it. */
export function billOf(usage: ObservedUsage, info: ModelInfo, atMs: number): RequestBill {
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = usage;
  const total = input_tokens + cache_read_input_tokens + cache_creation_input_tokens;
  const ttl = info.cache.kind === "prefix" ? undefined : info.cache.defaultTtl;
  const cacheWrite = ttl === undefined ? {} : { [ttl]: cache_creation_input_tokens };
  const uncached = input_tokens + (ttl === undefined ? cache_creation_input_tokens : 0);
  return requestBill({ uncached, cacheRead: cache_read_input_tokens, cacheWrite }, output_tokens, pricesFor(info, total, atMs));
}

/** What the same call would have cost with the client's own messages, with a cache if the provider used one for it. */
export function fullBill(request: GrowingRequest, before: GrowingRequest | undefined, isCached: boolean, info: ModelInfo): RequestBill {
  const shares = isCached ? cachedShares(request, before, info.cache) : { uncached: request.inputTokens, cacheRead: 0, cacheWrite: {} };
  return requestBill(shares, request.outputTokens, pricesFor(info, request.inputTokens, request.atMs));
}
