import { blocksOf, isText, isThinking, isToolResult, isToolUse, resultText, type Block, type Message } from "../messages/message.ts";

/** The messages as plain text for a summarizer. What came from a tool is marked as such; thinking and media are left out. */
export function transcriptText(messages: readonly Message[]): string {
  return messages.flatMap((message) => blocksOf(message).flatMap((block) => lineFor(message.role, block))).join("\n\n");
}

function lineFor(role: Message["role"], block: Block): string[] {
  if (isText(block)) return [`${role}: ${block.text}`];
  if (isToolUse(block)) return [`${role} called ${block.name} ${JSON.stringify(block.input)}`];
  if (isToolResult(block)) return [`tool ${block.is_error === true ? "error" : "result"}: ${resultText(block)}`];
  return isThinking(block) ? [] : [`${role}: [${block.type}]`];
}
