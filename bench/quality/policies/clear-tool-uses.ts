import type { ReplayPolicy } from "../../../src/replay/replay-policy.ts";
import type { ToolResultBlock } from "../../../src/messages/message.ts";
import type { TokensOfBlock } from "../measure/token-counters.ts";
import { resultsIn, Rewriter, tokensIn } from "./results.ts";

export interface ClearToolUses {
  readonly triggerTokens: number;
  readonly keep: number;
  readonly clearAtLeastTokens: number;
}

const PLACEHOLDER = "[Old tool result content cleared]";

/** Anthropic's `clear_tool_uses_20250919`: over the trigger, all results but the newest are cleared, and stay so. */
export function clearToolUses({ triggerTokens, keep, clearAtLeastTokens }: ClearToolUses, tokensOf: TokensOfBlock): ReplayPolicy {
  const atLeast = clearAtLeastTokens === 0 ? "" : `, at least ${clearAtLeastTokens / 1000}k`;
  return {
    name: `clear_tool_uses, ${triggerTokens / 1000}k${atLeast}`,
    start() {
      const rewriter = new Rewriter();
      let cleared: ReadonlySet<ToolResultBlock> = new Set();
      return {
        next(log) {
          const render = (set: ReadonlySet<ToolResultBlock>) => rewriter.apply(log, ({ result }) => (set.has(result) ? PLACEHOLDER : undefined));
          const now = render(cleared);
          if (tokensIn(now, tokensOf) <= triggerTokens) return { messages: now, recoverable: [] };
          const more = new Set(resultsIn(log).slice(0, -keep).map(({ result }) => result)); // prettier-ignore
          const after = render(more);
          if (tokensIn(now, tokensOf) - tokensIn(after, tokensOf) <= clearAtLeastTokens) return { messages: now, recoverable: [] };
          cleared = more;
          return { messages: after, recoverable: [] };
        },
      };
    },
  };
}
