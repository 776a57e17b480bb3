import { blocksOf, isServerCall, isServerResult, textBlock, type Block, type Message } from "../../../src/messages/message.ts";

export interface TurnToWrite {
  readonly role: Message["role"];
  readonly blocks: readonly Block[];
}

/** What only Anthropic's messages have is left out, if anything is left without it; neighbours of one role are one turn, as the provider reads them. */
export function turnsToWrite(messages: readonly Message[]): TurnToWrite[] {
  const turns: { role: Message["role"]; blocks: Block[] }[] = [];
  for (const message of messages) {
    const blocks = blocksOf(message).filter((block) => !isServerCall(block) && !isServerResult(block) && !ONLY_THERE.has(block.type));
    if (blocks.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === message.role) last.blocks.push(...blocks);
    else turns.push({ role: message.role, blocks: [...blocks] });
  }
  return turns.length === 0 && messages.length > 0 ? [{ role: "user", blocks: [textBlock("…")] }] : turns;
}

const ONLY_THERE: ReadonlySet<string> = new Set([
  "compaction",
  "mcp_tool_listing",
  "fallback",
  "container_upload",
  "search_result",
  "checkpoint",
  "block_of_next_year",
]);
