import type { ReplayPolicy } from "../../../src/replay/replay-policy.ts";
import { resultText, type ToolResultBlock } from "../../../src/messages/message.ts";
import type { TokensOfBlock } from "../measure/token-counters.ts";
import { headAndTail, resultsIn, Rewriter, tokensIn } from "./results.ts";

/** Every result is cut to its beginning and end before it is sent for the first time. */
export function plainIngest(chars: number): ReplayPolicy {
  return {
    name: `plain ingest head+tail ${chars / 1000}k`,
    start() {
      const rewriter = new Rewriter();
      return { next: (log) => ({ messages: rewriter.apply(log, ({ result }) => headAndTail(resultText(result), chars)), recoverable: [] }) };
    },
  };
}

const WRITE = 1.25;
const READ = 0.1;

/**
 * Cuts old results to beginning and end when the cost of carrying them has reached the cost of rewriting the rest: the online
 * rule of the quality page, with nothing else.
 */
export function plainOnlineRule(chars: number, tokensOf: TokensOfBlock, keep = 10): ReplayPolicy {
  return {
    name: `plain online rule, head+tail ${chars / 1000}k`,
    start() {
      const rewriter = new Rewriter();
      let cut: ReadonlySet<ToolResultBlock> = new Set();
      let carried = 0;
      return {
        next(log) {
          const render = (set: ReadonlySet<ToolResultBlock>) =>
            rewriter.apply(log, ({ result }) => (set.has(result) ? headAndTail(resultText(result), chars) : undefined));
          const now = render(cut);
          const more = new Set(resultsIn(log).slice(0, -keep).map(({ result }) => result)); // prettier-ignore
          const after = render(more);
          const first = after.findIndex((message, position) => message !== now[position]);
          if (first === -1) return { messages: now, recoverable: [] };
          carried += READ * (tokensIn(now, tokensOf) - tokensIn(after, tokensOf));
          if (carried < (WRITE - READ) * tokensIn(after.slice(first), tokensOf)) return { messages: now, recoverable: [] };
          carried = 0;
          cut = more;
          return { messages: after, recoverable: [] };
        },
      };
    },
  };
}
