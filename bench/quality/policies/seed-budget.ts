import type { ReplayPolicy } from "../../../src/replay/replay-policy.ts";
import { compactOldToolResults } from "../../../src/stateless/compact-old-tool-results.ts";
import type { Message } from "../../../src/messages/message.ts";
import type { TokensOfBlock } from "../measure/token-counters.ts";
import { tokensIn } from "./results.ts";

const TARGET = { bindsThinking: false };

/**
 * Seed 001: when the last request was over the budget, all results but the newest are cut to their beginnings, for good. Unlike
 * `token-budget` of the package it does so when the newest results have come in, and counts tokens as the run does.
 */
export function seedBudget(inputTokenBudget: number, tokensOf: TokensOfBlock): ReplayPolicy {
  return {
    name: `seed 001, ${inputTokenBudget / 1000}k`,
    start() {
      let messages: readonly Message[] = [];
      let seen = 0;
      let inputTokens = 0;
      return {
        next(log) {
          messages = [...messages, ...log.slice(seen)];
          seen = log.length;
          ({ messages } = compactOldToolResults(messages, { inputTokens, inputTokenBudget, onCompact: () => undefined }, TARGET));
          inputTokens = Math.round(tokensIn(messages, tokensOf));
          return { messages, recoverable: [] };
        },
      };
    },
  };
}
