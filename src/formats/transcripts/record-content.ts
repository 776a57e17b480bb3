import { isText, textBlock, type Block, type ToolResultBlock } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";

/** Returns the content of a record (a string, parts or nothing) as content of the log. Parts stay the same objects. */
export function readContent(content: unknown): string | readonly Block[] {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.flatMap(readPart) : [];
}

export function readBlocks(content: unknown): readonly Block[] {
  const read = readContent(content);
  if (typeof read !== "string") return read;
  return read === "" ? [] : [textBlock(read)];
}

function readPart(part: unknown): readonly Block[] {
  if (typeof part === "string") return [textBlock(part)];
  return isRecord(part) && typeof part["type"] === "string" ? [part as unknown as Block] : [];
}

/** A string stays a string, and new text is one: not every reader of these files knows parts. */
export function writeContent(blocks: readonly Block[], before: unknown): string | readonly Block[] {
  return !Array.isArray(before) && blocks.every(isText) ? joinTexts(blocks) : blocks;
}

export function joinTexts(blocks: readonly Block[]): string {
  return blocks
    .filter(isText)
    .map((block) => block.text)
    .join("\n\n");
}

/** The same for a result. */
export function writeResultContent(result: ToolResultBlock, before: unknown): string | readonly Block[] {
  return typeof result.content === "string" ? result.content : writeContent(result.content ?? [], before);
}
