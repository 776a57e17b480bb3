import { blocksOf, isText, isThinking, isToolResult, isToolUse, type Block, type Message } from "../../messages/message.ts";
import { nativesOf, untouchedNatives } from "../origin.ts";
import { encodeContent, encodePart, joined } from "./content-parts.ts";
import { inheritedReasoning } from "./inherited-reasoning.ts";
import { isMessageItem, withoutId } from "./item-kinds.ts";
import { ItemWriter } from "./item-writer.ts";
import type { ItemPart, ResponseItem } from "./response-item.ts";
import { encodeCall } from "./tool-calls.ts";
import { encodeOutput } from "./tool-outputs.ts";

export function encodeResponses(messages: readonly Message[]): ResponseItem[] {
  const writer = new ItemWriter();
  for (const message of messages) {
    const untouched = untouchedNatives<ResponseItem>(message);
    if (message.role !== "assistant") for (const item of untouched ?? encodeWords(message)) writer.add(item);
    else if (untouched !== undefined) writer.addResponse(untouched, inheritedReasoning(message));
    else writer.addChangedResponse(encodeResponse(blocksOf(message)), nativesOf<ResponseItem>(message) ?? [], inheritedReasoning(message));
  }
  return writer.items;
}

/** Writes outputs, then the messages of the user or the developer. */
function encodeWords(message: Message): readonly ResponseItem[] {
  const blocks = blocksOf(message);
  const outputs = blocks.filter(isToolResult).map(encodeOutput);
  const words = blocks.filter((block) => !isToolResult(block));
  if (words.length === 0) return outputs;
  const native = nativesOf<ResponseItem>(message)?.find(isMessageItem);
  const content = encodeContent(words, native === undefined ? "" : native.content);
  return [...outputs, native === undefined ? { role: message.role, content } : { ...withoutId(native), content }];
}

/** Returns the items of a changed response without its reasoning. `ItemWriter` decides about reasoning and ids. */
function encodeResponse(blocks: readonly Block[]): readonly ResponseItem[] {
  const items: ResponseItem[] = [];
  for (let number = 0; number < blocks.length;) {
    const block = blocks[number];
    const message = block === undefined ? undefined : messageAround(block);
    let end = number + 1;
    if (message !== undefined) {
      for (let next = blocks[end]; next !== undefined && messageAround(next) === message; next = blocks[end]) end++;
      items.push(encodeMessage(message, blocks.slice(number, end)));
    } else if (block !== undefined && !isThinking(block)) items.push(encodeBlock(block));
    number = end;
  }
  return items;
}

/** Returns the message item that the block is a part of. */
function messageAround(block: Block): ResponseItem | undefined {
  const [native] = nativesOf<ResponseItem>(block) ?? [];
  return native !== undefined && isMessageItem(native) ? native : undefined;
}

/** Several blocks of one message. */
function encodeMessage(message: ResponseItem, blocks: readonly Block[]): ResponseItem {
  const { content } = message;
  const isWhole = blocks.length === (typeof content === "string" ? 1 : content?.length) && blocks.every((block) => untouchedNatives(block) !== undefined);
  if (isWhole) return message;
  return { ...message, content: typeof content === "string" && blocks.every(isText) ? joined(blocks) : blocks.map(encodeMessagePart) };
}

function encodeMessagePart(block: Block): ItemPart {
  const [, part] = nativesOf<ItemPart>(block) ?? [];
  if (part === undefined) return encodePart(block);
  return untouchedNatives(block) === undefined && isText(block) ? { ...part, text: block.text } : part;
}

function encodeBlock(block: Block): ResponseItem {
  if (isToolUse(block)) return encodeCall(block);
  if (isText(block)) return { role: "assistant", content: block.text };
  return nativesOf<ResponseItem>(block)?.[0] ?? block;
}
