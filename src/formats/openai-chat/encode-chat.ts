import {
  blocksOf,
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  type Block,
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
} from "../../messages/message.ts";
import { wordsIn } from "../../messages/words-in.ts";
import { nativesOf, untouchedNatives } from "../origin.ts";
import type { ChatCall, ChatMessage, ChatPart } from "./chat-message.ts";
import { REASONING_FIELDS } from "./decode-chat.ts";

export function encodeChat(messages: readonly Message[]): ChatMessage[] {
  return messages.flatMap((message) => untouchedNatives<ChatMessage>(message) ?? encodeOne(message));
}

function encodeOne(message: Message): readonly ChatMessage[] {
  const [native] = nativesOf<ChatMessage>(message) ?? [];
  if (message.role === "assistant") return encodeAssistant(message, native);
  if (message.role === "system") return [{ ...(native ?? { role: "system" }), content: contentOf(blocksOf(message), message.content) }];
  const blocks = blocksOf(message);
  // B1: nothing may come between the calls and their results.
  const results = blocks.filter(isToolResult).map(encodeChatResult);
  const others = blocks.filter((block) => !isToolResult(block));
  if (others.length === 0) return results;
  return [...results, { ...(native?.role === "user" ? native : { role: "user" }), content: contentOf(others, message.content) }];
}

export function encodeChatResult(block: ToolResultBlock): ChatMessage {
  const [untouched] = untouchedNatives<ChatMessage>(block) ?? [];
  if (untouched !== undefined) return untouched;
  const [native = { role: "tool", tool_call_id: block.tool_use_id } satisfies ChatMessage] = nativesOf<ChatMessage>(block) ?? [];
  return { ...native, content: typeof block.content === "string" ? block.content : textParts(block.content ?? []) };
}

/** B9: a result holds text only. */
function textParts(blocks: readonly Block[]): string | readonly ChatPart[] {
  if (blocks.length === 0) return "[empty]";
  return blocks.map((block) => (isText(block) ? block : { type: "text", text: `[${block.type}]` }));
}

function encodeAssistant(message: Message, native: ChatMessage | undefined): readonly ChatMessage[] {
  const blocks = blocksOf(message);
  const said = blocks.filter((block) => !isThinking(block) && !isToolUse(block));
  const calls = blocks.filter(isToolUse);
  const base = native === undefined ? { role: "assistant" as const } : withoutCalls(native, blocks.some(isThinking));
  if (said.length === 0 && calls.length === 0) return [];
  const inContent = said.filter((block) => block.type !== "audio" && !isOfField(block));
  const content = inContent.length === 0 ? null : contentOf(inContent, native === undefined ? message.content : (native.content ?? ""));
  return [{ ...base, content: content ?? emptyContent(native), ...fieldsBeside(said), ...callFields(calls) }];
}

/** Says whether the block was decoded from a field of its message instead of a part of the content. */
function isOfField(block: Block): boolean {
  const [native] = nativesOf<ChatMessage | ChatPart>(block) ?? [];
  return native !== undefined && "role" in native;
}

/** Returns the fields of refusal and audio blocks. */
function fieldsBeside(said: readonly Block[]): Partial<ChatMessage> {
  const refusal = said.find((block) => block.type === "refusal" && isOfField(block));
  const audio = said.find((block) => block.type === "audio");
  return { ...(refusal === undefined ? {} : { refusal: wordsIn(refusal) }), ...(audio === undefined ? {} : { audio: encodeAudio(audio) }) };
}

function encodeAudio(block: Block): NonNullable<ChatMessage["audio"]> {
  const [native] = nativesOf<ChatMessage>(block) ?? [];
  return native?.audio ?? { id: "id" in block ? String(block.id) : "" };
}

/** B4: empty content beside calls is null. A message that had an empty string keeps it. */
function emptyContent(native: ChatMessage | undefined): "" | null {
  return native?.content === "" ? "" : null;
}

function callFields(calls: readonly ToolUseBlock[]): Partial<ChatMessage> {
  const [only] = calls;
  if (only === undefined) return {}; // B3: no empty list
  const [native] = nativesOf<ChatCall | NonNullable<ChatMessage["function_call"]>>(only) ?? [];
  if (native !== undefined && "arguments" in native)
    return { function_call: untouchedNatives(only) === undefined ? { ...native, arguments: JSON.stringify(only.input) } : native };
  return { tool_calls: calls.map(encodeCall) };
}

function encodeCall(block: ToolUseBlock): ChatCall {
  const [untouched] = untouchedNatives<ChatCall>(block) ?? [];
  if (untouched !== undefined) return untouched;
  const [native] = nativesOf<ChatCall>(block) ?? [];
  if (native?.custom !== undefined) return { ...native, custom: { ...native.custom, input: customInput(block.input) } };
  const called = { name: block.name, arguments: JSON.stringify(block.input) };
  return native === undefined ? { id: block.id, type: "function", function: called } : { ...native, function: { ...native.function, ...called } };
}

function customInput(input: unknown): string {
  const text: unknown = typeof input === "object" && input !== null && "input" in input ? input.input : undefined;
  return typeof text === "string" ? text : JSON.stringify(input);
}

/** Returns the other fields of the message. Those of its reasoning are included only while it is shown. Null fields stay null. */
function withoutCalls(native: ChatMessage, thinks: boolean): ChatMessage {
  const { tool_calls: _calls, function_call: _called, refusal, audio, ...others } = native;
  const rest = { ...others, ...(refusal === null ? { refusal } : {}), ...(audio === null ? { audio } : {}) };
  if (thinks) return rest;
  const dropped: ReadonlySet<string> = new Set(REASONING_FIELDS);
  return Object.fromEntries(Object.entries(rest).filter(([field]) => !dropped.has(field))) as unknown as ChatMessage;
}

/** A string stays a string: not every server of this format reads parts. */
function contentOf(blocks: readonly Block[], before: unknown): string | readonly ChatPart[] {
  return typeof before === "string" ? (joined(blocks) ?? blocks) : blocks;
}

function joined(blocks: readonly Block[]): string | undefined {
  return blocks.every(isText) ? blocks.map((block) => block.text).join("\n\n") : undefined;
}
