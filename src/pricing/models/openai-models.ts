import type { CacheRules, LongContext, MessageEndCache, ModelInfo, PrefixCache, Prices } from "./model.ts";

const MINUTE_MS = 60_000;

/** F, up to GPT-5.5: automatic, from 1024 tokens on, in steps of 128, free writes. */
export const OPENAI_PREFIX_CACHE: PrefixCache = { kind: "prefix", minimumTokens: 1_024, stepTokens: 128, idleMs: 30 * MINUTE_MS };

/** F, from GPT-5.6 on: matches at the newest 80 breakpoints only; four writes per request; 30 minutes. */
export const OPENAI_BREAKPOINT_CACHE: MessageEndCache = {
  kind: "message-ends",
  minimumTokens: 1_024,
  lookupBreakpoints: 80,
  maxBreakpoints: 4,
  ttlMs: { "30m": 30 * MINUTE_MS },
  defaultTtl: "30m",
};

const WITH_12_HOURS: MessageEndCache = { ...OPENAI_BREAKPOINT_CACHE, ttlMs: { ...OPENAI_BREAKPOINT_CACHE.ttlMs, "12h": 720 * MINUTE_MS } };
const IN_MEMORY: PrefixCache = { ...OPENAI_PREFIX_CACHE, idleMs: 5 * MINUTE_MS };

const IDLE_30_MINUTES = "cached prefixes last for up to 24 hours, typically 30 minutes after their last use: assumed are 30 minutes";
const IDLE_5_MINUTES = "cached prefixes last for 5 to 10 minutes after their last use: assumed are 5 minutes";
const INPUT_922K = "the window is not in the price table: 1,050,000 tokens, of which 922,000 for the input";
const INPUT_272K = "the window is not in the price table: 400,000 tokens, of which 272,000 for the input";

interface Row {
  readonly id: string;
  readonly prices: Prices;
  readonly cache: CacheRules;
  readonly windowTokens: number;
  /** F: over 272,000 input tokens the whole request costs twice as much, and its output 1.5 times. From GPT-5.4 on. */
  readonly dearerOver272k?: boolean;
  readonly thinks?: boolean;
  readonly asOf?: string;
  readonly source: string;
  readonly assumptions: readonly string[];
}

const GPT_6_1 = { cache: WITH_12_HOURS, windowTokens: 922_000, dearerOver272k: true, asOf: "2026-10-26" } as const;
const GPT_5_6 = { cache: OPENAI_BREAKPOINT_CACHE, windowTokens: 922_000, dearerOver272k: true } as const;
const GPT_5_4 = { cache: OPENAI_PREFIX_CACHE, windowTokens: 922_000, dearerOver272k: true } as const;
const GPT_5 = { cache: OPENAI_PREFIX_CACHE, windowTokens: 272_000 } as const;

const GENAI_PRICES = "@pydantic/genai-prices 0.1.8";
const GENAI_PRICES_AND_LITELLM = "@pydantic/genai-prices 0.1.8, LiteLLM";

const ROWS: readonly Row[] = [
  {
    ...GPT_6_1,
    id: "gpt-6.1-sol",
    prices: priced(2, 10, 0.1, { "30m": 2.5, "12h": 5 }),
    source: "codex-token-watch v0.3.3, LiteLLM blog",
    assumptions: ["cache writes are 1.25 and 2.5 times the input price", INPUT_922K],
  },
  {
    ...GPT_6_1,
    id: "gpt-6.1-terra",
    prices: priced(1, 5, 0.05, { "30m": 1.25, "12h": 2.5 }),
    source: "docs.litellm.ai/blog/gpt-6-1-terra, apidog",
    assumptions: [INPUT_922K],
  },
  { ...GPT_5_6, id: "gpt-6-astra", prices: priced(10, 50, 1, { "30m": 12.5 }), source: GENAI_PRICES, assumptions: [INPUT_922K] },
  { ...GPT_5_6, id: "gpt-6-sol", prices: priced(2, 10, 0.2, { "30m": 2.5 }), source: GENAI_PRICES, assumptions: [INPUT_922K] },
  { ...GPT_5_6, id: "gpt-6-luna", prices: priced(0.1, 0.5, 0.01, { "30m": 0.125 }), source: GENAI_PRICES, assumptions: [INPUT_922K] },
  {
    ...GPT_5_6,
    id: "gpt-5.6-sol",
    prices: priced(4, 20, 0.4, { "30m": 5 }),
    source: `${GENAI_PRICES} (5, 30, 0.5 in LiteLLM until 2026-08-08)`,
    assumptions: [INPUT_922K],
  },
  { ...GPT_5_6, id: "gpt-5.6-terra", prices: priced(2, 12, 0.2, { "30m": 2.5 }), source: GENAI_PRICES_AND_LITELLM, assumptions: [INPUT_922K] },
  { ...GPT_5_6, id: "gpt-5.6-luna", prices: priced(0.2, 1.2, 0.02, { "30m": 0.25 }), source: GENAI_PRICES_AND_LITELLM, assumptions: [INPUT_922K] },
  { ...GPT_5_4, id: "gpt-5.5", prices: priced(5, 30, 0.5), source: GENAI_PRICES_AND_LITELLM, assumptions: [IDLE_30_MINUTES, INPUT_922K] },
  { ...GPT_5_4, id: "gpt-5.4", prices: priced(2.5, 15, 0.25), source: GENAI_PRICES_AND_LITELLM, assumptions: [IDLE_30_MINUTES, INPUT_922K] },
  { ...GPT_5, id: "gpt-5.2", prices: priced(1.75, 14, 0.175), source: GENAI_PRICES_AND_LITELLM, assumptions: [IDLE_30_MINUTES, INPUT_272K] },
  { ...GPT_5, id: "gpt-5.1", prices: priced(1.25, 10, 0.125), source: GENAI_PRICES_AND_LITELLM, assumptions: [IDLE_30_MINUTES, INPUT_272K] },
  { ...GPT_5, id: "gpt-5", prices: priced(1.25, 10, 0.125), source: GENAI_PRICES_AND_LITELLM, assumptions: [IDLE_30_MINUTES, INPUT_272K] },
  {
    ...GPT_5,
    id: "gpt-5-mini",
    cache: IN_MEMORY,
    prices: priced(0.25, 2, 0.025),
    source: GENAI_PRICES_AND_LITELLM,
    assumptions: [IDLE_5_MINUTES, INPUT_272K],
  },
  {
    id: "gpt-4.1",
    cache: OPENAI_PREFIX_CACHE,
    prices: priced(2, 8, 0.5),
    windowTokens: 1_047_576,
    thinks: false,
    source: GENAI_PRICES,
    assumptions: [IDLE_30_MINUTES, "the window is not in the price table: 1,047,576 tokens"],
  },
  {
    id: "gpt-4o",
    cache: IN_MEMORY,
    prices: priced(2.5, 10, 1.25),
    windowTokens: 128_000,
    thinks: false,
    source: GENAI_PRICES,
    assumptions: [IDLE_5_MINUTES, "the window is not in the price table: 128,000 tokens"],
  },
];

export const OPENAI_MODELS: readonly ModelInfo[] = ROWS.map((row) => ({
  id: row.id,
  provider: "openai",
  prices: row.prices,
  longContext: row.dearerOver272k === true ? over272k(row.prices) : null,
  peakHours: null,
  nextPrices: null,
  cache: row.cache,
  windowTokens: row.windowTokens,
  // C10: a reasoning item with a changed prefix is silently dropped, so nothing needs to be hidden.
  thinking: { mode: row.thinks === false ? "off" : "adaptive", bindsPrefix: false, keepsEarlierTurns: true },
  // B10: the order of roles is free.
  prefill: true,
  tokenFactor: 1,
  asOf: row.asOf ?? "2026-09-23",
  source: row.source,
  assumptions: row.assumptions,
}));

function priced(input: number, output: number, cacheRead: number, cacheWrite: Prices["cacheWrite"] = {}): Prices {
  return { input, output, cacheRead, cacheWrite };
}

function over272k({ input, output, cacheRead, cacheWrite }: Prices): LongContext {
  const written = Object.fromEntries(Object.entries(cacheWrite).map(([ttl, price]) => [ttl, 2 * price]));
  return { overTokens: 272_000, prices: { input: 2 * input, output: 1.5 * output, cacheRead: 2 * cacheRead, cacheWrite: written } };
}
