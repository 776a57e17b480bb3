import { DEFAULT_TARGET } from "../../messages/target.ts";
import { ANTHROPIC_CACHE } from "./anthropic-models.ts";
import type { ModelInfo } from "./model.ts";

/**
 * For an unrecognizable name, which may be any model behind a gateway. So its target is the strictest (`DEFAULT_TARGET`), and its prices
 * are the ratios that most providers share, relative to an input price of 1: one dollar is a million input tokens.
 */
export const UNKNOWN_MODEL: ModelInfo = {
  id: "unknown",
  provider: "anthropic",
  prices: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: { "5m": 1.25, "1h": 2 } },
  longContext: null,
  peakHours: null,
  nextPrices: null,
  cache: ANTHROPIC_CACHE,
  windowTokens: DEFAULT_TARGET.windowTokens,
  thinking: { mode: DEFAULT_TARGET.thinking, bindsPrefix: DEFAULT_TARGET.bindsThinking, keepsEarlierTurns: true },
  prefill: DEFAULT_TARGET.prefill,
  tokenFactor: 1,
  asOf: "2026-11-15",
  source: "none",
  assumptions: ["an input price of 1, output at 5, cache reads at 0.1, cache writes at 1.25 and 2", "caching at markers, from 1024 tokens on"],
};
