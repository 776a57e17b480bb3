import type { Message } from "../../messages/message.ts";
import { compactOldToolResults } from "../../stateless/compact-old-tool-results.ts";
import type { ReplayPolicy } from "../replay-policy.ts";
import { MessageSizes } from "./message-sizes.ts";
import { targetOf } from "./target-of.ts";

/**
 * After a response to a request over the budget, all results except those of the newest round are cut to their beginning for good.
 * The results that the response asks for arrive after that.
 */
export function tokenBudget(name: string, inputTokenBudget: number): ReplayPolicy {
  return {
    name,
    start() {
      const sizes = new MessageSizes();
      let messages: readonly Message[] = [];
      let seen = 0;
      let inputTokens = 0;
      return {
        next(log, step) {
          const added = log.slice(seen);
          const answered = added.findIndex(({ role }) => role !== "assistant");
          const response = answered === -1 ? added : added.slice(0, answered);
          const config = { inputTokens, inputTokenBudget, onCompact: () => undefined };
          const { messages: compacted } = compactOldToolResults([...messages, ...response], config, targetOf(step));
          messages = [...compacted, ...added.slice(response.length)];
          seen = log.length;
          inputTokens = sizes.of(messages, step);
          return { messages, recoverable: [] };
        },
      };
    },
  };
}
