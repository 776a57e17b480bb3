import { guarded } from "../errors/guarded.ts";
import { createBiller as createBillerUnguarded } from "./biller.ts";
export type { Biller, BillOptions } from "./biller.ts";
export type { Bill, InputShares, RequestBill } from "./billing/bill.ts";
export type { BilledRequest } from "./billing/billed-request.ts";
export type { TokensOf } from "./billing/meter.ts";
export type { PromptPlace } from "./billing/prompt-place.ts";
import { costOf as costOfUnguarded } from "./cost-of.ts";
import { modelInfo as modelInfoUnguarded } from "./model-info.ts";
export type { ModelOptions, OnWarning } from "./model-info.ts";
export type {
  CacheRules,
  LongContext,
  MarkerCache,
  MessageEndCache,
  ModelInfo,
  NextPrices,
  PeakHours,
  PrefixCache,
  Prices,
  Provider,
  ThinkingRules,
  Ttl,
} from "./models/model.ts";
export type { CacheOverride, ModelOverride, PricesOverride } from "./names/model-override.ts";
import { targetFor as targetForUnguarded } from "./target-for.ts";
export type { CacheMarker, OpenRequest, Request } from "../messages/request.ts";

// Guarded: an unreadable argument is named in the error, wherever the function fails.
/** Creates a biller. It reads each block once and then recognizes it by identity: do not change blocks between two requests. */
export const createBiller: typeof createBillerUnguarded = /* @__PURE__ */ guarded(createBillerUnguarded, "model", "options");
/**
 * Bills the requests of one thread, in the order in which they were sent, as the provider would: with its prices, and with a cache that
 * starts empty. Nothing is sent.
 */
export const costOf: typeof costOfUnguarded = /* @__PURE__ */ guarded(costOfUnguarded, "requests", "model", "options");
/**
 * Returns what is known about a model. Accepts names as providers and gateways write them: with a prefix, a date, dots or dashes. A model
 * that is not in the table is treated like its nearest relative, an unrecognizable name like `UNKNOWN_MODEL`, each with one warning.
 */
export const modelInfo: typeof modelInfoUnguarded = /* @__PURE__ */ guarded(modelInfoUnguarded, "model", "options");
/** Returns what the model accepts, for `render`, `checkMessages` and the passes. */
export const targetFor: typeof targetForUnguarded = /* @__PURE__ */ guarded(targetForUnguarded, "model", "options");
