import type { ReplayPolicy } from "../../../src/replay/replay-policy.ts";
import { collapseToolChains } from "../../../src/stateless/collapse-tool-chains.ts";
import { compactOldToolResults } from "../../../src/stateless/compact-old-tool-results.ts";
import { pruneMessages } from "../../../src/stateless/prune-messages.ts";
import type { PrunerStrategy } from "../../../src/passes/prune-turns/prune-turns.ts";
import type { Message } from "../../../src/messages/message.ts";
import type { TokensOfBlock } from "../measure/token-counters.ts";
import { tokensIn } from "./results.ts";

const TARGET = { bindsThinking: false };

/** Seed 001: when the last request was over the budget, all results but the newest are cut to their beginnings, for good. */
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

/** Seed 000: rounds with more than so many messages behind them become a line each. */
export function seedCollapse(collapseAfterTurns: number): ReplayPolicy {
  const config = { collapseAfterTurns, collapseMultiToolTurns: false };
  return {
    name: `seed 000 collapse, ${collapseAfterTurns}`,
    start: () => ({ next: (log) => ({ messages: collapseToolChains(log, config, TARGET), recoverable: [] }) }),
  };
}

/** Seed 002: the newest messages. */
export function seedPrune(strategy: PrunerStrategy, maxTurns: number): ReplayPolicy {
  const name = strategy === "sliding-window" ? "window" : strategy;
  return {
    name: `seed 002 ${name}, ${maxTurns}`,
    start: () => ({ next: (log) => ({ messages: pruneMessages(log, { strategy, maxTurns }, TARGET), recoverable: [] }) }),
  };
}
