import type { ModelInfo, PeakHours, PrefixCache, Prices } from "./model.ts";

const HOUR_MS = 3_600_000;

/** F: always on; matches whole units, which end at fixed intervals and in other places. */
const UNITS: PrefixCache = { kind: "prefix", minimumTokens: 64, stepTokens: 64, idleMs: HOUR_MS };

/** F: UTC 01–04 and 06–10, Monday to Friday, twice the price. */
const PEAK_HOURS: PeakHours = {
  factor: 2,
  hoursUtc: [
    [1, 4],
    [6, 10],
  ],
};

const ASSUMPTIONS: readonly string[] = [
  "the length of a cache unit is no longer documented: 64 tokens, as in the first guide; units that end with an output are not modelled",
  "cached units last for hours to days: assumed is one hour after their last use",
  "the window is not in the price table: 1,000,000 tokens",
];

const ROWS: readonly { readonly id: string; readonly prices: Prices }[] = [
  { id: "deepseek-flash", prices: { input: 0.15, output: 0.6, cacheRead: 0.003, cacheWrite: {} } },
  { id: "deepseek-v4-pro", prices: { input: 0.66, output: 1.98, cacheRead: 0.022, cacheWrite: {} } },
];

export const DEEPSEEK_MODELS: readonly ModelInfo[] = ROWS.map(({ id, prices }) => ({
  id,
  provider: "deepseek",
  prices,
  longContext: null,
  peakHours: PEAK_HOURS,
  nextPrices: null,
  cache: UNITS,
  windowTokens: 1_000_000,
  thinking: { mode: "adaptive", bindsPrefix: false, keepsEarlierTurns: true },
  prefill: false,
  tokenFactor: 1,
  asOf: "2026-10-27",
  source: "api-docs.deepseek.com",
  assumptions: ASSUMPTIONS,
}));
