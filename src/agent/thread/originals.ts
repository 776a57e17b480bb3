import type { Edit } from "../../edits/edit.ts";
import { blockAt, blocksOf, isText, resultText, type Block, type Message, type ToolResultBlock, type ToolUseBlock } from "../../messages/message.ts";
import { isBefore, type Place } from "../../messages/place.ts";
import { transcriptText } from "../../stateless/transcript-text.ts";
import { isThreadBlock } from "./shown-blocks.ts";

/** What an edit shows in another form, as text; `content` where it is more than text and can be given back as it is. */
export interface Original {
  readonly text: string;
  readonly content?: readonly Block[];
}

export function originalOf(log: readonly Message[], edit: Edit): Original {
  switch (edit.kind) {
    case "replace-result": {
      const block = blockAt(log, edit.at) as ToolResultBlock;
      const text = resultText(block);
      return Array.isArray(block.content) && !block.content.every(isText) ? { text, content: (block.content as readonly Block[]).map(unmarked) } : { text };
    }
    case "replace-input":
      return { text: JSON.stringify((blockAt(log, edit.at) as ToolUseBlock).input, null, 2) };
    case "collapse-round":
      return { text: textBetween(log, { position: edit.call, block: 0 }, { position: edit.lastResult + 1, block: 0 }) };
    case "replace-range":
      return { text: textBetween(log, edit.from, edit.to) };
    case "strip-blocks":
      return { text: edit.at.map((at) => transcriptOf(log, at)).join("\n\n") };
    case "replace-block":
      return { text: transcriptOf(log, edit.at) };
  }
}

/** Given back a second time, a cache marker would be one more than the caller set (A6). */
function unmarked(block: Block): Block {
  const { cache_control: _, ...rest } = block as Block & { readonly cache_control?: unknown };
  return rest;
}

function transcriptOf(log: readonly Message[], at: Place): string {
  return textBetween(log, at, { position: at.position, block: at.block + 1 });
}

/** Checkpoints and reminders are nothing that anyone would want back. */
function textBetween(log: readonly Message[], from: Place, to: Place): string {
  const parts = log.slice(from.position, to.position + 1).map((message, offset): Message => {
    const position = from.position + offset;
    const inside = blocksOf(message).filter(
      (block, number) => !isBefore({ position, block: number }, from) && isBefore({ position, block: number }, to) && !isThreadBlock(block),
    );
    return { ...message, content: inside };
  });
  return transcriptText(parts);
}
