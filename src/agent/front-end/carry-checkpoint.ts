import { textBlock, isText, isToolResult, type Block, type Message, type ToolResultBlock } from "../../messages/message.ts";

const MARK = /^<checkpoint:[a-z0-9]{6}>$/;

/** Keeps the result, so that the same message is always sent as the same object. */
const carried = new WeakMap<Message, Message>();

/**
 * Moves a checkpoint at the end of a message into its last tool result, if it has one. Text after results makes some models end their turn with nothing,
 * and in OpenAI's APIs it would be a separate user message.
 */
export function withCheckpointInResult(message: Message): Message {
  if (message.role !== "user" || typeof message.content === "string") return message;
  const mark = message.content.at(-1);
  const result = message.content.at(-2);
  if (mark === undefined || result === undefined || !isText(mark) || !MARK.test(mark.text) || !isToolResult(result)) return message;
  const known = carried.get(message);
  if (known !== undefined) return known;
  const { content } = result;
  const parts: readonly Block[] = content === undefined ? [] : typeof content === "string" ? [textBlock(content)] : content;
  const last: ToolResultBlock = { ...result, content: [...parts, textBlock(mark.text)] };
  const written = { ...message, content: [...message.content.slice(0, -2), last] };
  carried.set(message, written);
  return written;
}
