export { createBiller, type Biller, type BillOptions } from "./biller.ts";
export type { Bill, InputShares, RequestBill } from "./billing/bill.ts";
export type { BilledRequest } from "./billing/billed-request.ts";
export type { TokensOf } from "./billing/meter.ts";
export type { PromptPlace } from "./billing/prompt-place.ts";
export { costOf } from "./cost-of.ts";
export { modelInfo, type ModelOptions, type OnWarning } from "./model-info.ts";
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
export { targetFor } from "./target-for.ts";
export type { CacheMarker, OpenRequest, Request } from "../messages/request.ts";
