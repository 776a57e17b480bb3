import type { Prices } from "./model.ts";

/** A model that the price table no longer lists: billed by the rules of a listed one, at its own prices. */
export interface OlderModel {
  readonly id: string;
  readonly like: string;
  readonly prices: Prices;
  readonly minimumTokens?: number;
  readonly windowTokens?: number;
  readonly source: string;
}

const CLAUDE = "platform.claude.com, prompt caching";
const OPENAI = "developers.openai.com, pricing; LiteLLM";

export const OLDER_MODELS: readonly OlderModel[] = [
  { id: "claude-opus-4-1", like: "claude-opus-4-5", prices: claude(15), minimumTokens: 1_024, source: CLAUDE },
  { id: "claude-opus-4", like: "claude-opus-4-5", prices: claude(15), minimumTokens: 1_024, source: CLAUDE },
  { id: "claude-sonnet-4", like: "claude-sonnet-4-5", prices: claude(3), source: CLAUDE },
  { id: "claude-3-7-sonnet", like: "claude-sonnet-4-5", prices: claude(3), source: CLAUDE },
  { id: "claude-3-5-sonnet", like: "claude-sonnet-4-5", prices: claude(3), source: CLAUDE },
  { id: "claude-3-5-haiku", like: "claude-haiku-4-5", prices: claude(0.8), minimumTokens: 2_048, source: CLAUDE },
  { id: "gpt-5.4-mini", like: "gpt-5-mini", prices: automatic(0.75, 4.5, 0.075), source: OPENAI },
  { id: "gpt-5.3-codex", like: "gpt-5.2", prices: automatic(1.75, 14, 0.175), source: OPENAI },
  { id: "gpt-5-nano", like: "gpt-5-mini", prices: automatic(0.05, 0.4, 0.005), source: OPENAI },
  { id: "gpt-4o-mini", like: "gpt-4o", prices: automatic(0.15, 0.6, 0.075), source: OPENAI },
  { id: "o4-mini", like: "gpt-5-mini", prices: automatic(1.1, 4.4, 0.275), windowTokens: 200_000, source: OPENAI },
  { id: "o3", like: "gpt-5", prices: automatic(2, 8, 0.5), windowTokens: 200_000, source: OPENAI },
  { id: "gemini-3-pro-preview", like: "gemini-3.1-pro-preview", prices: automatic(2, 12, 0.2), source: "ai.google.dev, pricing; LiteLLM" },
];

/** F: output five times the input, reads 0.1 of it, writes 1.25 and 2 times. */
function claude(input: number): Prices {
  return { input, output: 5 * input, cacheRead: 0.1 * input, cacheWrite: { "5m": 1.25 * input, "1h": 2 * input } };
}

function automatic(input: number, output: number, cacheRead: number): Prices {
  return { input, output, cacheRead, cacheWrite: {} };
}
