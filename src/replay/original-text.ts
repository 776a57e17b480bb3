import type { Edit } from "../edits/edit.ts";
import { blockAt, blocksOf, resultText, type Message, type ToolResultBlock, type ToolUseBlock } from "../messages/message.ts";
import { isBefore, type Place } from "../messages/place.ts";
import { transcriptText } from "../stateless/transcript-text.ts";

/** What an edit shows in another form, as text: what its handle gives back. */
export function originalText(log: readonly Message[], edit: Edit): string {
  switch (edit.kind) {
    case "replace-result":
      return resultText(blockAt(log, edit.at) as ToolResultBlock);
    case "replace-input":
      return JSON.stringify((blockAt(log, edit.at) as ToolUseBlock).input, null, 2);
    case "collapse-round":
      return textBetween(log, { position: edit.call, block: 0 }, { position: edit.lastResult + 1, block: 0 });
    case "replace-range":
      return textBetween(log, edit.from, edit.to);
    case "strip-blocks":
      return edit.at.map((at) => textAt(log, at)).join("\n\n");
    case "replace-block":
      return textAt(log, edit.at);
  }
}

function textAt(log: readonly Message[], at: Place): string {
  return textBetween(log, at, { position: at.position, block: at.block + 1 });
}

/** Checkpoints and reminders of a thread are nothing that anyone would want back. */
const OF_THREADS: ReadonlySet<string> = new Set(["checkpoint", "system_reminder"]);

function textBetween(log: readonly Message[], from: Place, to: Place): string {
  const parts = log.slice(from.position, to.position + 1).map((message, offset): Message => {
    const position = from.position + offset;
    const isInside = (block: number): boolean => !isBefore({ position, block }, from) && isBefore({ position, block }, to);
    return { ...message, content: blocksOf(message).filter(({ type }, block) => isInside(block) && !OF_THREADS.has(type)) };
  });
  return transcriptText(parts);
}
