import type { LongContext, ModelInfo, NextPrices, PrefixCache, Prices } from "./model.ts";

const MINUTE_MS = 60_000;

/** F: implicit and not guaranteed; modelled as a plain prefix match with free writes. */
const IMPLICIT: PrefixCache = { kind: "prefix", minimumTokens: 4_096, stepTokens: 1, idleMs: 5 * MINUTE_MS };

const ASSUMPTIONS: readonly string[] = [
  "implicit caching is not guaranteed: every prefix of an earlier request is assumed to be read, for 5 minutes after its last use",
  "the window is not in the price table: 1,048,576 tokens",
];

interface Row {
  readonly id: string;
  readonly prices: Prices;
  readonly minimumTokens?: number;
  readonly longContext?: LongContext;
  readonly nextPrices?: NextPrices;
  readonly asOf?: string;
  readonly source: string;
}

const GENAI_PRICES_AND_LITELLM = "@pydantic/genai-prices 0.1.8, LiteLLM";

const ROWS: readonly Row[] = [
  {
    id: "gemini-4-argon",
    prices: priced(2, 10, 0.1),
    nextPrices: { from: "2026-12-01", prices: priced(4, 20, 0.2) },
    asOf: "2026-10-14",
    source: "LiteLLM discussion 46238",
  },
  { id: "gemini-3.8-flash", prices: priced(0.75, 3.75, 0.075), source: "@pydantic/genai-prices 0.1.8 (matched by pattern)" },
  {
    id: "gemini-3.6-flash",
    prices: priced(1.5, 7.5, 0.15),
    asOf: "2026-08-08",
    source: "LiteLLM; @pydantic/genai-prices of 2026-09-23 has 0.75, 3.75, 0.075",
  },
  {
    id: "gemini-3.1-pro-preview",
    prices: priced(2, 12, 0.2),
    longContext: { overTokens: 200_000, prices: priced(4, 18, 0.4) },
    source: GENAI_PRICES_AND_LITELLM,
  },
  {
    id: "gemini-2.5-pro",
    prices: priced(1.25, 10, 0.125),
    minimumTokens: 2_048,
    longContext: { overTokens: 200_000, prices: priced(2.5, 15, 0.25) },
    source: GENAI_PRICES_AND_LITELLM,
  },
  { id: "gemini-2.5-flash", prices: priced(0.3, 2.5, 0.03), minimumTokens: 2_048, source: GENAI_PRICES_AND_LITELLM },
];

export const GEMINI_MODELS: readonly ModelInfo[] = ROWS.map((row) => ({
  id: row.id,
  provider: "gemini",
  prices: row.prices,
  longContext: row.longContext ?? null,
  peakHours: null,
  nextPrices: row.nextPrices ?? null,
  cache: { ...IMPLICIT, minimumTokens: row.minimumTokens ?? IMPLICIT.minimumTokens },
  windowTokens: 1_048_576,
  // D: thought signatures are required on the calls of the current turn; nothing binds them to what comes before.
  thinking: { mode: "adaptive", bindsPrefix: false, keepsEarlierTurns: true },
  prefill: false,
  tokenFactor: 1,
  asOf: row.asOf ?? "2026-09-23",
  source: row.source,
  assumptions: ASSUMPTIONS,
}));

function priced(input: number, output: number, cacheRead: number): Prices {
  return { input, output, cacheRead, cacheWrite: {} };
}
