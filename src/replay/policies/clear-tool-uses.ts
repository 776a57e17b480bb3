import type { ReplayPolicy } from "../replay-policy.ts";
import { MessageSizes } from "./message-sizes.ts";
import { ResultStubs } from "./result-stubs.ts";

export interface ClearToolUses {
  /** Above this many input tokens, results are cleared. */
  readonly trigger: number;
  /** This many of the newest results stay. */
  readonly keep: number;
  /** If fewer tokens than this would be cleared, nothing is. */
  readonly clearAtLeast: number;
}

const PLACEHOLDER = "[Old tool result content cleared]";

/**
 * Anthropic's `clear_tool_uses_20250919`, simulated on the client: above the trigger, all results but the newest are cleared for good.
 * Clearing by the provider leaves thinking alone; clearing by a client hides the thinking that is bound to what was cleared.
 */
export function clearToolUses(name: string, { trigger, keep, clearAtLeast }: ClearToolUses): ReplayPolicy {
  return {
    name,
    start() {
      const stubs = new ResultStubs("clear-tool-uses", () => PLACEHOLDER);
      const sizes = new MessageSizes();
      return {
        next(log, step) {
          const call = stubs.read(log, step);
          const now = stubs.view(call);
          const tokens = sizes.of(now, step);
          if (tokens <= trigger) return { messages: now, recoverable: [] };
          const proposals = stubs.propose(call, Math.max(0, call.index.results.length - keep));
          const cleared = stubs.view(call, proposals);
          if (tokens - sizes.of(cleared, step) < clearAtLeast) return { messages: now, recoverable: [] };
          stubs.commit(proposals);
          return { messages: cleared, recoverable: [] };
        },
      };
    },
  };
}
