import { blocksOf, isText, isThinking, isToolResult, isToolUse, resultText, type Block, type Message } from "../messages/message.ts";
import { labelledWords } from "../messages/words-in.ts";

export const BETWEEN_BLOCKS = "\n\n";

/** The messages as plain text for a summarizer. What came from a tool is marked as such; thinking and media are left out. */
export function transcriptText(messages: readonly Message[]): string {
  return messages.flatMap((message) => blocksOf(message).flatMap((block) => linesFor(message.role, block))).join(BETWEEN_BLOCKS);
}

function linesFor(role: Message["role"], block: Block): string[] {
  const pieces = blockPieces(role, block);
  return pieces === undefined ? [] : [pieces.join("")];
}

/** A block as it stands there: what says whose it is, and its own text. Undefined: it is left out. */
export function blockPieces(role: Message["role"], block: Block): readonly [lead: string, text: string] | undefined {
  if (isText(block)) return [`${role}: `, block.text];
  if (isToolUse(block)) return [`${role} called ${block.name} `, JSON.stringify(block.input)];
  if (isToolResult(block)) return [`tool ${block.is_error === true ? "error" : "result"}: `, resultText(block)];
  return isThinking(block) ? undefined : [`${role}: `, labelledWords(block)];
}
