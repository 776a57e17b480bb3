import type { ChatMessage, ChatPart } from "../../../src/formats/openai-chat/chat-message.ts";
import { openaiChat } from "../../../src/formats/openai-chat/openai-chat.ts";
import { isText, isThinking, isToolResult, isToolUse, type Block, type Message, type ToolResultBlock } from "../../../src/messages/message.ts";
import type { NativeFormat } from "./native-format.ts";
import { turnsToWrite } from "./turns-to-write.ts";

export const chatFormat: NativeFormat<ChatMessage, ChatMessage> = {
  codec: openaiChat,
  write: writeChat,
  faults: chatFaults,
  resultsOf: (messages) => messages.filter((message) => message.role === "tool"),
  resultLength: (result) => textLength(result.content),
};

/** `style`: whether there is a head, how text is written, where the thinking goes. */
function writeChat(messages: readonly Message[], style: number): ChatMessage[] {
  const asParts = style % 2 === 1;
  const head: ChatMessage[] = style % 3 === 0 ? [] : [{ role: style % 3 === 1 ? "system" : "developer", content: "You are an agent." }];
  return [...head, ...turnsToWrite(messages).flatMap(({ role, blocks }) => writeTurn(role, blocks, asParts, style % 5))];
}

function writeTurn(role: Message["role"], blocks: readonly Block[], asParts: boolean, thinkingStyle: number): ChatMessage[] {
  if (role === "assistant") return [writeAssistant(blocks, asParts, thinkingStyle)];
  if (role === "system") return [{ role: "system", content: contentOf(blocks, asParts) }];
  const results = blocks.filter(isToolResult).map((block) => writeResult(block, asParts));
  const others = blocks.filter((block) => !isToolResult(block));
  return others.length === 0 ? results : [...results, { role: "user", content: contentOf(others, asParts) }];
}

function writeAssistant(blocks: readonly Block[], asParts: boolean, thinkingStyle: number): ChatMessage {
  const calls = blocks
    .filter(isToolUse)
    .map((block) => ({ id: block.id, type: "function", function: { name: block.name.slice(0, 64), arguments: JSON.stringify(block.input) } }));
  const texts = blocks.filter(isText);
  const thinks = blocks.some(isThinking) && thinkingStyle < 2;
  const beside = calls.length > 0 || texts.length !== 1 ? undefined : BESIDE_CONTENT[thinkingStyle];
  if (beside !== undefined) return { role: "assistant", content: null, ...beside };
  return {
    role: "assistant",
    content: texts.length === 0 ? (calls.length === 0 ? "…" : thinkingStyle === 3 ? "" : null) : contentOf(texts, asParts),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(thinks ? { [thinkingStyle === 0 ? "reasoning_content" : "reasoning"]: "Let me see." } : {}),
  };
}

/** What an assistant may say instead of content, by style. */
const BESIDE_CONTENT: Readonly<Record<number, Partial<ChatMessage>>> = { 2: { refusal: "I cannot do that." }, 4: { refusal: null, audio: { id: "audio_1" } } };

/** May there be no content, because something else is said? */
function saysBeside({ refusal, audio }: ChatMessage): boolean {
  return typeof refusal === "string" || (audio !== null && audio !== undefined);
}

function writeResult(block: ToolResultBlock, asParts: boolean): ChatMessage {
  const blocks = typeof block.content === "string" ? [{ type: "text", text: block.content } as Block] : (block.content ?? []);
  return { role: "tool", tool_call_id: block.tool_use_id, content: contentOf(blocks.filter(isText), asParts) };
}

function contentOf(blocks: readonly Block[], asParts: boolean): string | readonly ChatPart[] {
  const parts = blocks.map(partOf);
  const isPlain = parts.every(isText);
  return asParts && parts.length > 0 ? parts : isPlain ? parts.map((part) => part.text).join("\n") : parts;
}

function partOf(block: Block): ChatPart {
  if (isText(block)) return { type: "text", text: block.text } as ChatPart;
  if (block.type === "system_reminder" && "text" in block)
    return { type: "text", text: `<system-reminder>${String(block.text)}</system-reminder>` } as ChatPart;
  return { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } } as ChatPart;
}

/** Section B of the provider rules, read a second time. */
function chatFaults(messages: readonly ChatMessage[], { history }: { readonly history: boolean }): string[] {
  const found: string[] = messages.length === 0 ? ["B5:empty"] : [];
  messages.forEach((message, index) => {
    if (message.role === "assistant" && message.tool_calls !== undefined && message.tool_calls !== null) {
      if (message.tool_calls.length === 0) found.push("B3:no calls");
      const end = messages.findIndex((other, at) => at > index && other.role !== "tool");
      const answers = messages.slice(index + 1, end === -1 ? undefined : end).map((answer) => answer.tool_call_id);
      const isOpenEnd = history && end === -1;
      for (const call of message.tool_calls) if (!answers.includes(call.id) && !isOpenEnd) found.push(`B1:${call.id}`);
      for (const call of message.tool_calls) if (call.id.length > 64) found.push(`B6:${call.id}`);
      for (const call of message.tool_calls) if (!/^[\w-]{1,64}$/.test(call.function?.name ?? "")) found.push(`B7:${call.id}`);
    }
    if (message.role === "tool") {
      const before = messages.slice(0, index);
      const asked = before.findLastIndex((other) => other.role !== "tool");
      const calls = messages[asked]?.tool_calls ?? [];
      const earlier = before.slice(asked + 1).filter((other) => other.tool_call_id === message.tool_call_id).length;
      if (calls.filter((call) => call.id === message.tool_call_id).length <= earlier) found.push(`B2:${message.tool_call_id ?? ""}`);
    }
    if (
      (message.content === null || message.content === undefined) &&
      !(message.role === "assistant" && ((message.tool_calls?.length ?? 0) > 0 || saysBeside(message)))
    )
      found.push(`B4:${message.role}`);
    if (Array.isArray(message.content) && message.role === "tool" && !message.content.every(isText)) found.push("B9:tool");
    if (Array.isArray(message.content) && message.role === "assistant" && !message.content.every((part) => isText(part) || part.type === "refusal"))
      found.push("B9:assistant");
  });
  return found;
}

function textLength(content: ChatMessage["content"]): number {
  if (typeof content === "string") return content.length;
  return (content ?? []).filter(isText).reduce((sum, part) => sum + part.text.length, 0);
}
