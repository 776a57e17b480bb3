import { isText, textBlock, type Block, type TextBlock } from "../../messages/message.ts";
import { decodedFrom, nativesOf, untouchedNatives } from "../origin.ts";
import { isTextPart, type ItemPart } from "./response-item.ts";

/** Types that a result of the log may hold (A2.10) and that this API does not know. */
const ONLY_IN_THE_LOG: ReadonlySet<string> = new Set(["image", "document", "search_result", "tool_reference", "browser_state"]);

/** A part of the user's message or of an output. Parts that are not text pass through as they are. */
export function decodePart(part: ItemPart): Block {
  return isTextPart(part) ? decodedFrom([part], textBlock(part.text)) : part;
}

export function encodePart(block: Block): ItemPart {
  const [untouched] = untouchedNatives<ItemPart>(block) ?? [];
  if (untouched !== undefined) return untouched;
  if (isText(block)) return { ...(nativesOf<ItemPart>(block)?.[0] ?? { type: "input_text" }), text: block.text };
  return ONLY_IN_THE_LOG.has(block.type) ? { type: "input_text", text: `[${block.type}]` } : block;
}

/** A string stays a string; several blocks become its paragraphs. */
export function encodeContent(blocks: readonly Block[], before: unknown): string | readonly ItemPart[] {
  return typeof before === "string" && blocks.every(isText) ? joined(blocks) : blocks.map(encodePart);
}

export function joined(blocks: readonly TextBlock[]): string {
  return blocks.map((block) => block.text).join("\n\n");
}
