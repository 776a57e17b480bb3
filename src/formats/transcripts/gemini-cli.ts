import {
  blocksOf,
  isText,
  isThinking,
  isToolUse,
  resultText,
  textBlock,
  type Block,
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
} from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import type { Usage } from "../../messages/usage.ts";
import { decodedFrom, nativesOf, untouchedNatives } from "../origin.ts";
import { decodeTogether } from "./decode-together.ts";
import { gatherByRecord, type Gathered } from "./gather-by-record.ts";
import { messageFacts, timeOf, usageUnlessNone } from "./message-facts.ts";
import { joinTexts } from "./record-content.ts";
import { recordId } from "./record-id.ts";
import type { DocumentFormat, MessageEntry } from "./transcript-format.ts";
import { countOf, fieldAt, itemsOf } from "./unchecked-fields.ts";
import { weaveRecords, type WrittenRecord } from "./weave-records.ts";

interface Session {
  readonly sessionId: string;
  readonly messages: readonly object[];
}

interface GeminiMessage {
  readonly id: string;
  readonly timestamp: string;
  readonly type: "user" | "gemini";
  /** A string or Gemini parts. */
  readonly content: unknown;
  readonly thoughts?: readonly Thought[] | null;
  readonly toolCalls?: readonly GeminiCall[] | null;
  readonly tokens?: unknown;
  readonly model?: string;
}

interface Thought {
  readonly subject: string;
  readonly description: string;
}

/** A call with its result. */
interface GeminiCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  readonly result?: readonly unknown[] | null;
  readonly status?: string;
}

/** A session of Gemini CLI. Messages to the person at the terminal (`info`, `error`) are not part of the conversation. */
export const geminiCli: DocumentFormat = {
  name: "gemini-cli",
  title: "Gemini CLI session",
  // Gemini's thoughts have no signature here.
  wire: "openai-chat",
  layout: "document",
  detect: isSession,
  sections: (document) => {
    const { sessionId: id, messages } = document as Session;
    const model = messages.map((message) => fieldAt(message, "model")).find((found) => typeof found === "string");
    return [{ id, records: messages, ...messageFacts({ model }) }];
  },
  assemble: (document, [messages]) => ({ ...(document as Session), messages }),
  createDecoder: () => decodeTogether((records) => records.filter(isGeminiMessage).flatMap(readMessage)),
  encode: (records, view) => weaveRecords(records, isGeminiMessage, writeView(view, records.find(isGeminiMessage))),
};

function isSession(document: unknown): document is Session {
  if (!isRecord(document) || typeof document["sessionId"] !== "string" || !Array.isArray(document["messages"])) return false;
  return document["messages"].every((message) => isRecord(message) && typeof message["type"] === "string" && "content" in message && !("role" in message));
}

/** A record without text or calls is not a message. */
function isGeminiMessage(record: object): record is GeminiMessage {
  const { type, content, toolCalls } = record as Partial<GeminiMessage>;
  return (type === "user" || type === "gemini") && (textOf(content) !== "" || itemsOf(toolCalls).length > 0);
}

function roleOf({ type }: GeminiMessage): Message["role"] {
  return type === "user" ? "user" : "assistant";
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const texts = (Array.isArray(content) ? content : [content]).map((part: unknown) => (typeof part === "string" ? part : fieldAt(part, "text")));
  return texts.filter((text) => typeof text === "string").join("\n");
}

function readMessage(record: GeminiMessage): readonly MessageEntry[] {
  const { timestamp, model, tokens } = record;
  const calls = itemsOf(record.toolCalls);
  const text = textOf(record.content);
  const said = text === "" ? [] : [decodedFrom([record], textBlock(text))];
  const content = [...itemsOf(record.thoughts).map(readThought), ...said, ...calls.map(readCall)];
  const message: MessageEntry = {
    kind: "message",
    message: decodedFrom([record], { role: roleOf(record), content }),
    nativeMessages: 1,
    ...messageFacts({ atMs: timeOf(timestamp), model, usage: usageOf(tokens) }),
  };
  const results = calls.flatMap(readResult);
  if (results.length === 0) return [message];
  const done = calls.map((call) => timeOf(fieldAt(call, "timestamp")) ?? 0);
  const atMs = Math.max(...done);
  return [
    message,
    {
      kind: "message",
      message: decodedFrom([record], { role: "user", content: results }),
      nativeMessages: 0,
      ...messageFacts({ atMs: atMs === 0 ? undefined : atMs }),
    },
  ];
}

function readThought(thought: Thought): Block {
  return decodedFrom([thought], { type: "thinking", thinking: `${thought.subject}\n${thought.description}` } as Block);
}

function readCall(call: GeminiCall): ToolUseBlock {
  return decodedFrom([call], { type: "tool_use", id: call.id, name: call.name, input: call.args });
}

function readResult(call: GeminiCall): readonly ToolResultBlock[] {
  const { result } = call;
  if (!Array.isArray(result) || result.length === 0) return [];
  const content = result.map(textOfResponse).join("\n");
  return [decodedFrom([call], { type: "tool_result", tool_use_id: call.id, content, ...(call.status === "error" ? { is_error: true } : {}) })];
}

function textOfResponse(part: unknown): string {
  const response = fieldAt(part, "functionResponse", "response");
  const said = fieldAt(response, "output") ?? fieldAt(response, "error") ?? response ?? fieldAt(part, "text") ?? part;
  return typeof said === "string" ? said : JSON.stringify(said);
}

/** Input tokens include cached ones; thinking tokens are reported separately from output tokens. */
function usageOf(tokens: unknown): Usage | undefined {
  return usageUnlessNone({
    inputTokens: countOf(fieldAt(tokens, "input")),
    cacheReadTokens: countOf(fieldAt(tokens, "cached")),
    cacheWriteTokens: 0,
    outputTokens: countOf(fieldAt(tokens, "output")) + countOf(fieldAt(tokens, "thoughts")),
  });
}

interface WrittenMessage extends WrittenRecord {
  readonly record: GeminiMessage;
}

function writeView(view: readonly Message[], first: GeminiMessage | undefined): readonly WrittenMessage[] {
  const used = new Set<GeminiMessage>();
  const written: WrittenMessage[] = [];
  for (const shown of gatherByRecord<GeminiMessage>(view, roleOf)) {
    const before = written.at(-1)?.record;
    const { native, message } = shown;
    if (native === undefined) written.push({ record: newMessage(message, before ?? first) });
    // The second part of a message that was split by something new.
    else if (used.has(native)) written.push({ record: { ...writeMessage(native, shown), id: recordId(message, before?.id) } });
    else written.push({ record: writeMessage(native, shown), inPlaceOf: native });
    if (native !== undefined) used.add(native);
  }
  return written;
}

function newMessage(message: Message, neighbour: GeminiMessage | undefined): GeminiMessage {
  const { id, timestamp = "" } = neighbour ?? {};
  return { id: recordId(message, id), timestamp, type: message.role === "assistant" ? "gemini" : "user", content: joinTexts(blocksOf(message)) };
}

function writeMessage(record: GeminiMessage, { message, results }: Gathered<GeminiMessage>): GeminiMessage {
  const blocks = blocksOf(message);
  const texts = blocks.filter(isText);
  const [text] = texts;
  const isSaid = texts.length === 1 && text !== undefined && untouchedNatives(text) !== undefined;
  const content = isSaid || (texts.length === 0 && textOf(record.content) === "") ? record.content : joinTexts(texts);
  const thoughts = blocks.filter(isThinking).flatMap((block) => nativesOf<Thought>(block) ?? []);
  const toolCalls = blocks.filter(isToolUse).map((call) =>
    writeCall(
      call,
      results.find(({ tool_use_id: id }) => id === call.id),
    ),
  );
  if (content === record.content && sameItems(thoughts, record.thoughts ?? []) && sameItems(toolCalls, record.toolCalls ?? [])) return record;
  return { ...record, content, ...(record.thoughts === undefined ? {} : { thoughts }), ...(record.toolCalls === undefined ? {} : { toolCalls }) };
}

function sameItems(after: readonly object[], before: readonly object[]): boolean {
  return after.length === before.length && after.every((item, number) => item === before[number]);
}

function writeCall(block: ToolUseBlock, result: ToolResultBlock | undefined): GeminiCall {
  const [native = { id: block.id, name: block.name, args: block.input }] = nativesOf<GeminiCall>(block) ?? [];
  const called = untouchedNatives(block) === undefined ? { ...native, args: block.input } : native;
  if (result === undefined ? readResult(native).length === 0 : untouchedNatives(result) !== undefined) return called;
  // `resultDisplay`, shown at the terminal, repeats the result.
  const { resultDisplay: _display, result: _result, ...rest } = called as GeminiCall & { readonly resultDisplay?: unknown };
  if (result === undefined) return rest;
  const response = result.is_error === true ? { error: resultText(result) } : { output: resultText(result) };
  return { ...rest, result: [{ functionResponse: { id: native.id, name: native.name, response } }] };
}
