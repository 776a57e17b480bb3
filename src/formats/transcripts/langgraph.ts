import { blocksOf, isThinking, isToolUse, type Block, type Message, type ToolResultBlock, type ToolUseBlock } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { decodedFrom, nativesOf, untouchedNatives } from "../origin.ts";
import { decodeDialect, encodeDialect, type ChatDialect } from "./chat-dialect.ts";
import { decodeTogether } from "./decode-together.ts";
import { messageFacts, usageUnlessNone, type MessageFacts } from "./message-facts.ts";
import { readBlocks, readContent, writeContent, writeResultContent } from "./record-content.ts";
import { recordId } from "./record-id.ts";
import type { DocumentFormat } from "./transcript-format.ts";
import { countOf, fieldAt, itemsOf } from "./unchecked-fields.ts";

interface ThreadState {
  readonly values: { readonly messages: readonly object[] };
}

/** A LangChain message, as LangGraph writes it. */
interface LangChainMessage {
  readonly type: keyof typeof ROLES;
  readonly id?: string | null;
  readonly content: string | readonly unknown[];
  readonly additional_kwargs?: Readonly<Record<string, unknown>>;
  readonly response_metadata?: Readonly<Record<string, unknown>>;
  readonly tool_calls?: readonly LangChainCall[];
  readonly invalid_tool_calls?: readonly unknown[];
  readonly usage_metadata?: unknown;
  readonly tool_call_id?: string;
  readonly status?: string;
  /** The full result, for the program. */
  readonly artifact?: unknown;
}

interface LangChainCall {
  readonly id: string | null;
  readonly name: string;
  readonly args: unknown;
}

const ROLES = { human: "user", ai: "assistant", system: "system", developer: "system", tool: "tool" } as const;

/** The state of a LangGraph thread, with its messages under `values`. */
export const langgraph: DocumentFormat = {
  name: "langgraph",
  title: "LangGraph thread",
  wire: "openai-chat",
  layout: "document",
  detect: isThreadState,
  sections: (document) => {
    const id = fieldAt(document, "metadata", "thread_id") ?? fieldAt(document, "checkpoint", "thread_id");
    const model = fieldAt(document, "metadata", "model_name");
    return [{ id: typeof id === "string" ? id : "thread", records: (document as ThreadState).values.messages, ...messageFacts({ model }) }];
  },
  assemble: (document, [messages]) => ({ ...(document as ThreadState), values: { ...(document as ThreadState).values, messages } }),
  createDecoder: () => decodeTogether((records) => decodeDialect(records, dialect)),
  encode: (records, view) => encodeDialect(records, view, dialect),
};

function isThreadState(document: unknown): document is ThreadState {
  const messages = fieldAt(document, "values", "messages");
  return Array.isArray(messages) && messages.every((message) => isRecord(message) && typeof message["type"] === "string" && !("role" in message));
}

function isLangChainMessage(record: object): record is LangChainMessage {
  const { type, content } = record as Partial<LangChainMessage>;
  return type !== undefined && Object.hasOwn(ROLES, type) && (typeof content === "string" || Array.isArray(content));
}

const dialect: ChatDialect<LangChainMessage> = {
  isMessage: isLangChainMessage,
  roleOf: ({ type }) => ROLES[type],
  read: readMessage,
  factsOf,
  write: writeMessage,
  writeResult,
};

function factsOf(record: LangChainMessage): MessageFacts {
  const { usage_metadata: usage } = record;
  const details = fieldAt(usage, "input_token_details");
  return messageFacts({
    model: fieldAt(record.response_metadata, "model_name"),
    usage: usageUnlessNone({
      inputTokens: countOf(fieldAt(usage, "input_tokens")),
      cacheReadTokens: countOf(fieldAt(details, "cache_read")),
      cacheWriteTokens: countOf(fieldAt(details, "cache_creation")),
      outputTokens: countOf(fieldAt(usage, "output_tokens")),
    }),
  });
}

function readMessage(record: LangChainMessage): Message | ToolResultBlock {
  const role = ROLES[record.type];
  if (role === "tool") {
    const content = readContent(record.content);
    return { type: "tool_result", tool_use_id: record.tool_call_id ?? "", content, ...(record.status === "error" ? { is_error: true } : {}) };
  }
  const calls = itemsOf(record.tool_calls).map(readCall);
  const thinking = readReasoning(record);
  if (calls.length === 0 && thinking.length === 0) return { role, content: readContent(record.content) };
  // With some providers the parts repeat the calls, in the provider's format.
  const said = readBlocks(record.content).filter((part) => part.type !== "tool_use");
  return { role, content: [...thinking, ...said, ...calls] };
}

function readCall(call: LangChainCall): ToolUseBlock {
  return decodedFrom([call], { type: "tool_use", id: call.id ?? "", name: call.name, input: call.args });
}

function readReasoning({ additional_kwargs: more }: LangChainMessage): readonly Block[] {
  const thinking = more?.["reasoning_content"];
  return typeof thinking === "string" && thinking !== "" ? [decodedFrom([thinking], { type: "thinking", thinking } as Block)] : [];
}

/** Says whether the block is thinking from outside the content; some providers have thinking among the parts. */
function isReasoning(block: Block): boolean {
  return isThinking(block) && nativesOf(block) !== undefined;
}

function writeMessage(message: Message, record: LangChainMessage | undefined, before: LangChainMessage | undefined): LangChainMessage {
  const blocks = blocksOf(message);
  const calls = blocks.filter(isToolUse).map(writeCall);
  const said = blocks.filter((block) => !isToolUse(block) && !isReasoning(block));
  const content = writeContent(said, record?.content);
  if (record === undefined) return newMessage(message, content, before);
  if (message.role !== "assistant") return { ...record, content };
  // The provider's own copy of the calls would still name removed ones.
  const { tool_calls: _calls, reasoning_content: reasoning, ...more } = record.additional_kwargs ?? {};
  const shown = reasoning !== undefined && blocks.some(isReasoning) ? { ...more, reasoning_content: reasoning } : more;
  return { ...record, content, additional_kwargs: shown, tool_calls: calls };
}

function newMessage(message: Message, content: LangChainMessage["content"], before: LangChainMessage | undefined): LangChainMessage {
  const shared = { content, additional_kwargs: {}, response_metadata: {}, name: null, id: recordId(message, before?.id ?? undefined) };
  if (message.role === "assistant") return { ...shared, type: "ai", tool_calls: [], invalid_tool_calls: [], usage_metadata: null };
  return { ...shared, type: message.role === "user" ? "human" : "system" };
}

function writeCall(block: ToolUseBlock): LangChainCall {
  const [untouched] = untouchedNatives<LangChainCall>(block) ?? [];
  const [native = { type: "tool_call" }] = nativesOf<LangChainCall>(block) ?? [];
  return untouched ?? { ...native, id: block.id, name: block.name, args: block.input };
}

function writeResult(result: ToolResultBlock, record: LangChainMessage | undefined): LangChainMessage {
  const content = writeResultContent(result, record?.content);
  if (record === undefined) return { type: "tool", content, tool_call_id: result.tool_use_id };
  return record.artifact === undefined ? { ...record, content } : { ...record, content, artifact: null };
}
