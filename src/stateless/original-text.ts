import type { Proposal } from "../edits/edit.ts";
import { blockAt, blocksOf, resultText, type Message, type ToolResultBlock, type ToolUseBlock } from "../messages/message.ts";
import { isBefore, type Place } from "../messages/place.ts";
import { LongText } from "./long-text.ts";
import { BETWEEN_BLOCKS, blockPieces, transcriptText } from "./transcript-text.ts";

/** What an edit shows in another form, as text: what its handle gives back. */
export function originalText(log: readonly Message[], edit: Proposal): string {
  switch (edit.kind) {
    case "replace-result":
      return resultText(blockAt(log, edit.at) as ToolResultBlock);
    case "replace-input":
      return inputText((blockAt(log, edit.at) as ToolUseBlock).input);
    case "collapse-round":
      return textBetween(log, { position: edit.call, block: 0 }, { position: edit.lastResult + 1, block: 0 });
    case "replace-range":
      return textBetween(log, edit.from, edit.to);
    case "strip-blocks":
      return edit.at.map((at) => textAt(log, at)).join(BETWEEN_BLOCKS);
    case "replace-block":
      return textAt(log, edit.at);
  }
}

export function inputText(input: unknown): string {
  return JSON.stringify(input, null, 2);
}

/** The original text of whole messages, and where in it each of them begins. */
export function textOfMessages(log: readonly Message[], from: number, to: number): { readonly text: LongText; readonly starts: readonly number[] } {
  const text = new LongText();
  const starts = log.slice(from, to).map((message) => {
    // Where the first of its blocks begins, or would.
    const start = text.length === 0 ? 0 : text.length + BETWEEN_BLOCKS.length;
    for (const block of blocksOf(message)) {
      const pieces = OF_THREADS.has(block.type) ? undefined : blockPieces(message.role, block);
      if (pieces === undefined) continue;
      if (text.length > 0) text.add(BETWEEN_BLOCKS);
      for (const piece of pieces) text.add(piece);
    }
    return start;
  });
  return { text, starts };
}

function textAt(log: readonly Message[], at: Place): string {
  return textBetween(log, at, { position: at.position, block: at.block + 1 });
}

function textBetween(log: readonly Message[], from: Place, to: Place): string {
  const texts = log.slice(from.position, to.position + 1).map((message, offset) => {
    const position = from.position + offset;
    return ownText(message, (block) => !isBefore({ position, block }, from) && isBefore({ position, block }, to));
  });
  return joined(texts);
}

/** Checkpoints and reminders of a thread are nothing that anyone would want back. */
const OF_THREADS: ReadonlySet<string> = new Set(["checkpoint", "system_reminder"]);

function ownText(message: Message, isInside: (block: number) => boolean): string {
  return transcriptText([{ ...message, content: blocksOf(message).filter(({ type }, block) => isInside(block) && !OF_THREADS.has(type)) }]);
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join(BETWEEN_BLOCKS);
}
