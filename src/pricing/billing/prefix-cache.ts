import type { PrefixCache } from "../models/model.ts";
import type { CacheSimulation } from "./cache-simulation.ts";
import { tokensIn } from "./prompt.ts";

/**
 * A cache that finds the longest common prefix with an earlier request: OpenAI up to GPT-5.5, Gemini, DeepSeek (F). A changed block
 * counts as new from its first token on. Writing is free: tokens that are not read cost the usual price.
 */
export function createPrefixCache({ minimumTokens, stepTokens, idleMs }: PrefixCache): CacheSimulation {
  const lastUseMs = new Map<number, number>();
  return {
    send(_request, prompt, nowMs) {
      const hit = prompt.findLast(({ prefix }) => nowMs - (lastUseMs.get(prefix) ?? -Infinity) <= idleMs);
      const matched = hit?.endTokens ?? 0;
      const whole = matched - (matched % stepTokens);
      const cacheRead = whole >= minimumTokens ? whole : 0;
      for (const { prefix } of prompt) lastUseMs.set(prefix, nowMs);
      return { uncached: tokensIn(prompt) - cacheRead, cacheRead, cacheWrite: {} };
    },
  };
}
