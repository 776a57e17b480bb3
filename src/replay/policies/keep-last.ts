import { resultText, type ToolResultBlock } from "../../messages/message.ts";
import type { ReplayPolicy } from "../replay-policy.ts";
import { ResultStubs } from "./result-stubs.ts";

/** All results but the newest `keep` are stubs. Stubs are made in batches of `batch` results. */
export function keepLast(name: string, keep: number, batch: number): ReplayPolicy {
  return {
    name,
    start() {
      const stubs = new ResultStubs("keep-last", stubOf);
      return {
        next(log, step) {
          const call = stubs.read(log, step);
          const old = Math.max(0, call.index.results.length - keep);
          stubs.commit(stubs.propose(call, old - (old % batch)));
          return { messages: stubs.view(call), recoverable: [] };
        },
      };
    },
  };
}

function stubOf(result: ToolResultBlock): string {
  return `[Old tool result: ${resultText(result).split("\n").length} lines omitted]`;
}
