import { isText, textBlock, type Block, type ToolResultBlock } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";

/** The content of a record, a string or parts or nothing, as a message of the log has it. Parts stay the objects that they are. */
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

/** Text stays a string where it was one, and is one where it is new: not every reader of these files knows parts. */
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
