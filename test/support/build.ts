/**
 * Builders for messages and blocks in the shape of the log, which is Anthropic's. What a test does not look at has a default.
 * `more` adds fields to a block, or overrides them.
 */
import type { Block, Message, OpenBlock, ToolResultBlock } from "../../src/messages/message.ts";

type Content = string | readonly (Block | OpenBlock)[];
type Part = string | Block | OpenBlock;

/** Makes a block of any type, known or not. */
export function block(type: string, fields: object = {}): OpenBlock {
  return { type, ...fields };
}

export function text(words: string, more: object = {}): OpenBlock {
  return { type: "text", text: words, ...more };
}

export function think(signature = "s", thinking = "hm"): OpenBlock {
  return { type: "thinking", thinking, signature };
}

/** Makes a tool call. */
export function use(id: string, name = "read", input: unknown = {}, more: object = {}): OpenBlock {
  return { type: "tool_use", id, name, input, ...more };
}

/** Makes the result of the call `id`. */
export function res(id: string, content: Content = "found", more: object = {}): ToolResultBlock & OpenBlock {
  return { type: "tool_result", tool_use_id: id, content, ...more };
}

/** Makes a call of a tool that the provider runs. */
export function serverUse(id: string, name = "web_search"): OpenBlock {
  return block("server_tool_use", { id, name, input: {} });
}

/** Makes the result of a tool that the provider runs; the type of the block names the tool. */
export function serverRes(id: string, name = "web_search"): OpenBlock {
  return block(`${name}_tool_result`, { tool_use_id: id, content: [] });
}

/** Makes a user message. A string alone is its content as it is; a string beside other parts becomes a text block. */
export function user(...parts: readonly Part[]): Message {
  return { role: "user", content: contentOf(parts) };
}

/** Makes an assistant message, of the same parts as `user`. */
export function assistant(...parts: readonly Part[]): Message {
  return { role: "assistant", content: contentOf(parts) };
}

/** Makes one assistant message with a call for each id. */
export function calls(...ids: readonly string[]): Message {
  return assistant(...ids.map((id) => use(id)));
}

/** Makes one user message with the results of these calls. */
export function results(...ids: readonly string[]): Message {
  return user(...ids.map((id) => res(id)));
}

/** Makes a call and its result, a message each. */
export function round(id: string, content?: Content, name?: string, input?: unknown): Message[] {
  return [assistant(use(id, name, input)), user(res(id, content))];
}

function contentOf(parts: readonly Part[]): Message["content"] {
  const [first] = parts;
  if (typeof first === "string" && parts.length === 1) return first;
  return parts.map((part) => (typeof part === "string" ? text(part) : part));
}
