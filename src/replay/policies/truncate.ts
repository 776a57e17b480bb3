import { isToolResult, type Message } from "../../messages/message.ts";
import { compressToolResult } from "../../stateless/compress-tool-result.ts";
import type { ReplayPolicy } from "../replay-policy.ts";

/** Cuts every result when it arrives, for good. */
export function truncate(name: string, maxToolResultTokens: number): ReplayPolicy {
  return {
    name,
    start() {
      const ingested: Message[] = [];
      return {
        next(log) {
          for (const message of log.slice(ingested.length)) ingested.push(withCutResults(message, maxToolResultTokens));
          return { messages: [...ingested], recoverable: [] };
        },
      };
    },
  };
}

function withCutResults(message: Message, maxToolResultTokens: number): Message {
  if (typeof message.content === "string" || !message.content.some(isToolResult)) return message;
  const content = message.content.map((block) => (isToolResult(block) ? compressToolResult(block, { maxToolResultTokens }) : block));
  return content.every((block, number) => block === message.content[number]) ? message : { ...message, content };
}
