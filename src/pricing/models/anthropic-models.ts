import { lineageOf } from "../names/lineage.ts";
import { claudeTraits } from "./claude-traits.ts";
import type { LongContext, MarkerCache, ModelInfo, Prices } from "./model.ts";

const MINUTE_MS = 60_000;

/** F: writes at markers only, looks back 20 blocks including the marked one, at most four markers, 5 minutes or 1 hour. */
export const ANTHROPIC_CACHE: MarkerCache = {
  kind: "markers",
  minimumTokens: 1_024,
  lookbackBlocks: 20,
  maxBreakpoints: 4,
  ttlMs: { "5m": 5 * MINUTE_MS, "1h": 60 * MINUTE_MS },
  defaultTtl: "5m",
};

interface Row {
  readonly id: string;
  /** input, output, cache read, 5 minute write, 1 hour write */
  readonly prices: Quote;
  readonly minimumTokens: number;
  readonly windowTokens: number;
  readonly long?: { readonly overTokens: number; readonly prices: Quote };
  readonly asOf: string;
  readonly source: string;
  readonly assumptions?: readonly string[];
}

type Quote = readonly [input: number, output: number, cacheRead: number, write5m: number, write1h: number];

const ROWS: readonly Row[] = [
  {
    id: "claude-fable-5-2",
    prices: [8, 40, 0.2, 10, 16],
    minimumTokens: 512,
    windowTokens: 1_000_000,
    asOf: "2026-11-09",
    source: "developersdigest.tech 2026-11-09 (input, output, cache read)",
    assumptions: ["cache writes are 1.25 and 2 times the input price", "the smallest cacheable prompt is that of Fable 5.1"],
  },
  {
    id: "claude-fable-5-1",
    prices: [10, 50, 0.25, 12.5, 20],
    minimumTokens: 512,
    windowTokens: 1_000_000,
    asOf: "2026-09-02",
    source: "platform.claude.com pricing mirror; smallest cacheable prompt: softspark/ai-toolkit 2026-09-23",
  },
  { id: "claude-fable-5", prices: [10, 50, 1, 12.5, 20], minimumTokens: 512, windowTokens: 1_000_000, asOf: "2026-09-02", source: "platform.claude.com" },
  {
    id: "claude-opus-5-5",
    prices: [4, 20, 0.2, 5, 8],
    minimumTokens: 512,
    windowTokens: 1_000_000,
    asOf: "2026-09-22",
    source: "@pydantic/genai-prices 0.1.8; PromptFuel v1.0.21; smallest cacheable prompt: softspark/ai-toolkit 2026-09-23",
  },
  { id: "claude-opus-5", prices: [5, 25, 0.5, 6.25, 10], minimumTokens: 512, windowTokens: 1_000_000, asOf: "2026-09-02", source: "platform.claude.com" },
  { id: "claude-opus-4-8", prices: [5, 25, 0.5, 6.25, 10], minimumTokens: 1_024, windowTokens: 1_000_000, asOf: "2026-09-02", source: "platform.claude.com" },
  { id: "claude-opus-4-7", prices: [5, 25, 0.5, 6.25, 10], minimumTokens: 2_048, windowTokens: 1_000_000, asOf: "2026-09-02", source: "platform.claude.com" },
  { id: "claude-opus-4-6", prices: [5, 25, 0.5, 6.25, 10], minimumTokens: 4_096, windowTokens: 1_000_000, asOf: "2026-09-02", source: "platform.claude.com" },
  { id: "claude-opus-4-5", prices: [5, 25, 0.5, 6.25, 10], minimumTokens: 4_096, windowTokens: 200_000, asOf: "2026-09-02", source: "platform.claude.com" },
  {
    id: "claude-sonnet-5-5",
    prices: [2, 10, 0.1, 2.5, 4],
    minimumTokens: 1_024,
    windowTokens: 1_000_000,
    asOf: "2026-10-07",
    source: "PromptFuel v1.0.23 (cache read cut from 0.20 to 0.10 on 2026-10-07); docs.rs/synaps",
    assumptions: ["the smallest cacheable prompt is not documented: 1024 tokens, as on its predecessor"],
  },
  { id: "claude-sonnet-5", prices: [2, 10, 0.2, 2.5, 4], minimumTokens: 1_024, windowTokens: 1_000_000, asOf: "2026-09-02", source: "platform.claude.com" },
  { id: "claude-sonnet-4-6", prices: [3, 15, 0.3, 3.75, 6], minimumTokens: 1_024, windowTokens: 1_000_000, asOf: "2026-09-02", source: "platform.claude.com" },
  { id: "claude-sonnet-4-5", prices: [3, 15, 0.3, 3.75, 6], minimumTokens: 1_024, windowTokens: 200_000, asOf: "2026-09-02", source: "platform.claude.com" },
  {
    id: "claude-haiku-5-5",
    prices: [0.1, 0.5, 0.01, 0.125, 0.2],
    minimumTokens: 4_096,
    windowTokens: 1_000_000,
    long: { overTokens: 100_000, prices: [0.5, 2.5, 0.05, 0.625, 1] },
    asOf: "2026-10-07",
    source: "platform.claude.com, overview of Haiku 5.5",
    assumptions: [
      "the smallest cacheable prompt is not documented: 4096 tokens, as on its predecessor",
      "above 100,000 tokens the 1 hour write is twice the input price",
    ],
  },
  { id: "claude-haiku-4-5", prices: [1, 5, 0.1, 1.25, 2], minimumTokens: 4_096, windowTokens: 200_000, asOf: "2026-09-02", source: "platform.claude.com" },
];

export const ANTHROPIC_MODELS: readonly ModelInfo[] = ROWS.map((row) => ({
  id: row.id,
  provider: "anthropic",
  prices: prices(row.prices),
  longContext: row.long === undefined ? null : longContext(row.long),
  peakHours: null,
  nextPrices: null,
  cache: { ...ANTHROPIC_CACHE, minimumTokens: row.minimumTokens },
  windowTokens: row.windowTokens,
  ...claudeTraits(lineageOf(row.id)),
  asOf: row.asOf,
  source: row.source,
  assumptions: row.assumptions ?? [],
}));

function prices([input, output, cacheRead, write5m, write1h]: Quote): Prices {
  return { input, output, cacheRead, cacheWrite: { "5m": write5m, "1h": write1h } };
}

function longContext(long: { readonly overTokens: number; readonly prices: Quote }): LongContext {
  return { overTokens: long.overTokens, prices: prices(long.prices) };
}
