import type { ReplayPolicy } from "../../../src/replay/replay-policy.ts";
import { resultText } from "../../../src/messages/message.ts";
import { resultsIn, Rewriter } from "./results.ts";

/** All results but the newest `keep` are stubs. With a batch, stubs come in batches of that many results. */
export function keepLast(keep: number, batch = 1): ReplayPolicy {
  return {
    name: batch === 1 ? `keep last ${keep}, each step` : `keep last ${keep}, batches of ${batch}`,
    start() {
      const rewriter = new Rewriter();
      return {
        next(log) {
          const results = resultsIn(log);
          const old = Math.max(0, results.length - keep);
          const cleared = new Set(results.slice(0, old - (old % batch)).map(({ result }) => result));
          const messages = rewriter.apply(log, ({ result }) => (cleared.has(result) ? stubOf(resultText(result)) : undefined));
          return { messages, recoverable: [] };
        },
      };
    },
  };
}

export function stubOf(text: string): string {
  const stub = `[Old tool result: ${text.split("\n").length} lines omitted]`;
  return text.length <= stub.length ? text : stub;
}
