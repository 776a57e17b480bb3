import type { Usage } from "../messages/usage.ts";
import { requestBill, sumOfBills, type InputShares, type RequestBill } from "./billing/bill.ts";
import { pauseMs } from "./billing/pause.ts";
import { pricesFor } from "./billing/prices-for.ts";
import type { CacheRules, ModelInfo } from "./models/model.ts";

/** A request of a thread to which messages are only appended. */
export interface GrowingRequest extends Pick<Usage, "inputTokens" | "outputTokens"> {
  readonly atMs?: number;
}

/**
 * Bills a thread in which every request extends the previous one, from sizes alone: with a cache marker at the end of each request
 * (if the model has markers), or without any cache. `costOf` on the requests themselves returns the same.
 */
export function appendOnlyBill(requests: readonly GrowingRequest[], info: ModelInfo, cached: boolean): RequestBill {
  let before: GrowingRequest | undefined;
  const bills = requests.map((request) => {
    const shares = cached ? cachedShares(request, before, info.cache) : { uncached: request.inputTokens, cacheRead: 0, cacheWrite: {} };
    before = request;
    return requestBill(shares, request.outputTokens, pricesFor(info, request.inputTokens, request.atMs));
  });
  return sumOfBills(bills);
}

function cachedShares(request: GrowingRequest, before: GrowingRequest | undefined, rules: CacheRules): InputShares {
  const ttl = rules.kind === "prefix" ? undefined : rules.defaultTtl;
  const livesMs = rules.kind === "prefix" ? rules.idleMs : (rules.ttlMs[rules.defaultTtl] ?? 0);
  const idleMs = pauseMs(before?.atMs, request.atMs);
  const reusable = before === undefined || idleMs > livesMs || before.inputTokens < rules.minimumTokens ? 0 : Math.min(before.inputTokens, request.inputTokens);
  const cacheRead = rules.kind === "prefix" ? reusable - (reusable % rules.stepTokens) : reusable;
  const rest = request.inputTokens - cacheRead;
  if (ttl === undefined || request.inputTokens < rules.minimumTokens) return { uncached: rest, cacheRead, cacheWrite: {} };
  return { uncached: 0, cacheRead, cacheWrite: rest === 0 ? {} : { [ttl]: rest } };
}
