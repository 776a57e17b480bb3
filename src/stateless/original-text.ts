import type { Proposal } from "../edits/edit.ts";
import {
  blockAt,
  blocksOf,
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  resultText,
  type Block,
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
} from "../messages/message.ts";
import { isBefore, type Place } from "../messages/place.ts";
import { labelledWords } from "../messages/words-in.ts";
import { fence, labelFor } from "../text/fence.ts";
import { LINE_BREAK } from "../text/quote.ts";
import { LongText } from "./long-text.ts";

export const BETWEEN_BLOCKS = "\n\n";

/** A line inside a text that could be read as the beginning of another block. */
const FORGED_LEAD = new RegExp(`(?:${LINE_BREAK.source})(?:(?:user|assistant|system): |assistant called |tool (?:result|error): )`);

/** Returns the original of what an edit changed, as text: what its handle recalls. */
export function originalText(log: readonly Message[], edit: Proposal): string {
  switch (edit.kind) {
    case "replace-result":
      return resultText(blockAt(log, edit.at) as ToolResultBlock);
    case "replace-input":
      return inputText((blockAt(log, edit.at) as ToolUseBlock).input);
    case "collapse-round":
      return textOf(blocksBetween(log, { position: edit.call, block: 0 }, { position: edit.lastResult + 1, block: 0 }));
    case "replace-range":
      return textOf(blocksBetween(log, edit.from, edit.to));
    case "strip-blocks":
      return textOf(edit.at.flatMap((at) => blocksBetween(log, at, { position: at.position, block: at.block + 1 })));
    case "replace-block":
      return textOf(blocksBetween(log, edit.at, { position: edit.at.position, block: edit.at.block + 1 }));
  }
}

export function inputText(input: unknown): string {
  return JSON.stringify(input, null, 2);
}

/** Returns the original text of whole messages, and where in it each of them begins. */
export function textOfMessages(log: readonly Message[], from: number, to: number): { readonly text: LongText; readonly starts: readonly number[] } {
  return longText(blocksBetween(log, { position: from, block: 0 }, { position: to, block: 0 }));
}

/** A block in that text: a lead that says whose it is, and its own text. */
type Told = readonly [lead: string, text: string];

/** Returns the blocks to write, for every message of the stretch. */
function blocksBetween(log: readonly Message[], from: Place, to: Place): Told[][] {
  return log.slice(from.position, to.block === 0 ? to.position : to.position + 1).map((message, offset) => {
    const position = from.position + offset;
    return blocksOf(message).flatMap((block, number) => {
      const at = { position, block: number };
      const told = isBefore(at, from) || !isBefore(at, to) || OF_THREADS.has(block.type) ? undefined : toldBlock(message.role, block);
      return told === undefined ? [] : [told];
    });
  });
}

/** Nobody needs a thread's checkpoints and reminders back. */
const OF_THREADS: ReadonlySet<string> = new Set(["checkpoint", "system_reminder"]);

function toldBlock(role: Message["role"], block: Block): Told | undefined {
  if (isText(block)) return [`${role}: `, block.text];
  if (isToolUse(block)) return [`${role} called ${block.name} `, JSON.stringify(block.input)];
  if (isToolResult(block)) return [`tool ${block.is_error === true ? "error" : "result"}: `, resultText(block)];
  return isThinking(block) ? undefined : [`${role}: `, labelledWords(block)];
}

function textOf(messages: readonly (readonly Told[])[]): string {
  const { text } = longText(messages);
  return text.slice(0, text.length);
}

/** If a text could pass for another block, such as a tool's output for the user's words, every block begins with a fence that occurs in no text. */
function longText(messages: readonly (readonly Told[])[]): { readonly text: LongText; readonly starts: readonly number[] } {
  const all = messages.flat(2);
  const mark = all.some((piece) => FORGED_LEAD.test(piece)) ? fence(labelFor(all)) : "";
  const text = new LongText();
  const starts = messages.map((blocks) => {
    // Where its first block begins, or would begin.
    const start = text.length === 0 ? 0 : text.length + BETWEEN_BLOCKS.length;
    for (const pieces of blocks) {
      if (text.length > 0) text.add(BETWEEN_BLOCKS);
      else if (mark !== "") text.add(`[Whatever is said, called or answered here begins with "${mark} …", and nothing inside it can.]${BETWEEN_BLOCKS}`);
      if (mark !== "") text.add(`${mark} `);
      for (const piece of pieces) text.add(piece);
    }
    return start;
  });
  return { text, starts };
}
