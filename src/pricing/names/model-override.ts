import { boolean, count, oneOf, parseOptions, positiveInteger, string, type Field, type FieldsOf } from "../../errors/parse-options.ts";
import { invalid } from "../../errors/palimpsest-error.ts";
import { isRecord } from "../../errors/is-record.ts";
import { ANTHROPIC_CACHE } from "../models/anthropic-models.ts";
import type { CacheRules, MarkerCache, MessageEndCache, ModelInfo, PrefixCache, Prices, Provider, ThinkingRules, Ttl } from "../models/model.ts";
import { OPENAI_BREAKPOINT_CACHE, OPENAI_PREFIX_CACHE } from "../models/openai-models.ts";

/** A caller's facts about a model, in the table or not. Merged deeply: missing fields keep their values. */
export interface ModelOverride {
  /** The model of the table to start from. Default: the nearest by name. */
  readonly like?: string;
  readonly provider?: Provider;
  readonly prices?: PricesOverride;
  readonly longContext?: { readonly overTokens?: number; readonly prices?: PricesOverride } | null;
  /** With a `kind` that differs from the model's, missing fields are those of the first provider with that kind. */
  readonly cache?: CacheOverride;
  readonly windowTokens?: number;
  readonly thinking?: Partial<ThinkingRules>;
  readonly prefill?: boolean;
  readonly tokenFactor?: number;
  readonly asOf?: string;
  readonly source?: string;
}

export interface PricesOverride {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: Prices["cacheWrite"];
}

export type CacheOverride = Partial<MarkerCache> | Partial<MessageEndCache> | Partial<PrefixCache>;

const record: Field<object> = { expected: "an object", accepts: isRecord };
const recordOrNull: Field<object | null> = { expected: "an object or null", accepts: (value): value is object | null => value === null || isRecord(value) };
const amount: Field<number> = {
  expected: "a number, 0 or more",
  accepts: (value): value is number => typeof value === "number" && Number.isFinite(value) && value >= 0,
};
const factor: Field<number> = { expected: "a number above 0", accepts: (value): value is number => amount.accepts(value) && value > 0 };

const OVERRIDE_FIELDS = {
  like: string,
  provider: oneOf("anthropic", "openai", "gemini", "deepseek"),
  prices: record,
  longContext: recordOrNull,
  cache: record,
  windowTokens: positiveInteger,
  thinking: record,
  prefill: boolean,
  tokenFactor: factor,
  asOf: string,
  source: string,
};
const PRICE_FIELDS = { input: amount, output: amount, cacheRead: amount, cacheWrite: record };
const TTL_FIELDS: FieldsOf<Record<Ttl, number>> = { "5m": amount, "1h": amount, "30m": amount, "12h": amount };
const THINKING_FIELDS: FieldsOf<ThinkingRules> = { mode: oneOf("adaptive", "manual", "off"), bindsPrefix: boolean, keepsEarlierTurns: boolean };
const LONG_CONTEXT_FIELDS = { overTokens: count, prices: record };

const TTL = oneOf("5m", "1h", "30m", "12h");
const KIND = oneOf("markers", "message-ends", "prefix");

/** By kind of cache: its fields, and the defaults for a model of another kind. */
const CACHES: { readonly [K in CacheRules["kind"]]: { readonly fields: Readonly<Record<string, Field<unknown>>>; readonly start: CacheRules } } = {
  markers: {
    fields: { kind: KIND, minimumTokens: count, lookbackBlocks: positiveInteger, maxBreakpoints: count, ttlMs: record, defaultTtl: TTL },
    start: ANTHROPIC_CACHE,
  },
  "message-ends": {
    fields: { kind: KIND, minimumTokens: count, lookupBreakpoints: count, maxBreakpoints: count, ttlMs: record, defaultTtl: TTL },
    start: OPENAI_BREAKPOINT_CACHE,
  },
  prefix: { fields: { kind: KIND, minimumTokens: count, stepTokens: positiveInteger, idleMs: amount }, start: OPENAI_PREFIX_CACHE },
};

export function parseOverride(override: ModelOverride, path: string): ModelOverride {
  parseOptions(override, path, OVERRIDE_FIELDS);
  return override;
}

/** Merges a parsed override over `base`. Unknown or out-of-range values are refused with their path. */
export function overridden(base: ModelInfo, override: ModelOverride, path: string): ModelInfo {
  const { like: _like, prices, longContext, cache, thinking, ...plain } = override;
  if (thinking !== undefined) parseOptions(thinking, `${path}.thinking`, THINKING_FIELDS);
  const merged = {
    ...mergedOver(base, plain),
    prices: mergedPrices(base.prices, prices, `${path}.prices`),
    longContext: longContext === undefined ? base.longContext : mergedLongContext(base, longContext, `${path}.longContext`),
    // Announced prices replace the listed ones, not the caller's.
    nextPrices: prices === undefined ? base.nextPrices : null,
    cache: mergedCache(base.cache, cache, `${path}.cache`),
    thinking: mergedOver(base.thinking, thinking ?? {}),
  };
  checkWritePrices(merged, path);
  return merged;
}

function mergedPrices(base: Prices, given: PricesOverride | undefined, path: string): Prices {
  if (given === undefined) return base;
  parseOptions(given, path, PRICE_FIELDS);
  if (given.cacheWrite !== undefined) parseOptions(given.cacheWrite, `${path}.cacheWrite`, TTL_FIELDS);
  return { ...mergedOver(base, given), cacheWrite: mergedOver(base.cacheWrite, given.cacheWrite ?? {}) };
}

function mergedLongContext(base: ModelInfo, given: NonNullable<ModelOverride["longContext"]> | null, path: string): ModelInfo["longContext"] {
  if (given === null) return null;
  parseOptions(given, path, LONG_CONTEXT_FIELDS);
  const overTokens = given.overTokens ?? base.longContext?.overTokens;
  if (overTokens === undefined) throw invalid("INVALID_OPTION", `${path}.overTokens`, count.expected, undefined);
  return { overTokens, prices: mergedPrices(base.longContext?.prices ?? base.prices, given.prices, `${path}.prices`) };
}

function mergedCache(base: CacheRules, given: CacheOverride | undefined, path: string): CacheRules {
  if (given === undefined) return base;
  if (given.kind !== undefined) parseOptions({ kind: given.kind }, path, { kind: KIND });
  const { fields, start } = CACHES[given.kind ?? base.kind];
  parseOptions(given, path, fields);
  const from = base.kind === start.kind ? base : start;
  const merged = mergedOver(from, given as Partial<CacheRules>);
  if (!("ttlMs" in from && "ttlMs" in merged)) return merged;
  parseOptions(merged.ttlMs, `${path}.ttlMs`, TTL_FIELDS);
  return { ...merged, ttlMs: mergedOver(from.ttlMs, merged.ttlMs) };
}

/** Every written token must have a price. */
function checkWritePrices({ prices, longContext, cache }: ModelInfo, path: string): void {
  if (!("ttlMs" in cache)) return;
  if (cache.ttlMs[cache.defaultTtl] === undefined) throw invalid("INVALID_OPTION", `${path}.cache.defaultTtl`, "a key of ttlMs", cache.defaultTtl);
  for (const ttl of Object.keys(cache.ttlMs) as Ttl[]) {
    if (prices.cacheWrite[ttl] === undefined) throw invalid("INVALID_OPTION", `${path}.prices.cacheWrite.${ttl}`, amount.expected, undefined);
    if (longContext !== null && longContext.prices.cacheWrite[ttl] === undefined)
      throw invalid("INVALID_OPTION", `${path}.longContext.prices.cacheWrite.${ttl}`, amount.expected, undefined);
  }
}

/** Merges; undefined counts as missing. */
function mergedOver<T extends object>(base: T, given: { readonly [K in keyof T]?: unknown }): T {
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...base, ...(Object.fromEntries(known) as Partial<T>) };
}
