import { hash64 } from "../../edits/edit-id.ts";
import { blocksOf, isText, isToolUse, type Block, type Message } from "../../messages/message.ts";

/**
 * What makes a message of the client's the same as one that it sent, or was given, before. Cache markers move from call to call.
 * What the assistant said comes back as the client keeps it: with or without thinking, in one text or several.
 */
export function clientKey(message: Message, withInputs: boolean): string {
  return message.role === "assistant"
    ? spokenKey(blocksOf(message), withInputs)
    : hash64(`${message.role}|${JSON.stringify(blocksOf(message).map(withoutMarkers))}`);
}

export function spokenKey(blocks: readonly Block[], withInputs: boolean): string {
  const text = blocks.flatMap((block) => (isText(block) ? [block.text.replaceAll(/\s+/g, "")] : [])).join("");
  const calls = blocks.filter(isToolUse).map(({ id, name, input }) => (withInputs ? [id, name, input] : [id, name]));
  return hash64(`assistant|${text}|${JSON.stringify(calls)}`);
}

/** Also inside of tool results, where markers may stand too (A6). */
export function withoutMarkers(block: Block): Block {
  const { cache_control: marker, ...rest } = block as Block & { readonly cache_control?: unknown };
  const { content } = block as Block & { readonly content?: unknown };
  const parts = block.type === "tool_result" && Array.isArray(content) ? (content as readonly Block[]) : undefined;
  const bare = parts?.map(withoutMarkers);
  const isSame = marker === undefined && (bare === undefined || bare.every((part, number) => part === parts?.[number]));
  if (isSame) return block;
  return bare === undefined ? rest : Object.assign({}, rest, { content: bare });
}
