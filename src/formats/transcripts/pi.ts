import { blocksOf, isThinking, isToolUse, type Block, type Message, type ToolResultBlock } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { decodedFrom, nativesOf, untouchedNatives } from "../origin.ts";
import type { FormatName } from "../codec.ts";
import { decodeDialect, encodeDialect, type ChatDialect } from "./chat-dialect.ts";
import { messageFacts, timeOf, usageUnlessNone, type MessageFacts } from "./message-facts.ts";
import { readContent } from "./record-content.ts";
import { recordId } from "./record-id.ts";
import { relinkRecords } from "./relink-records.ts";
import type { Entry, RecordDecoder, RecordsFormat } from "./transcript-format.ts";
import { TurnDecoder } from "./turn-decoder.ts";
import { countOf, fieldAt } from "./unchecked-fields.ts";

/** A line of a pi session that holds a message. Older files have no ids. */
interface MessageLine {
  readonly type: "message";
  readonly id?: string;
  readonly parentId?: string | null;
  readonly timestamp?: string;
  readonly message: {
    readonly role: keyof typeof ROLES;
    readonly content: string | readonly Block[];
    readonly toolCallId?: string;
    readonly toolName?: string;
    readonly isError?: boolean;
  };
}

interface ToolCall extends Block {
  readonly type: "toolCall";
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

interface Thinking extends Block {
  readonly type: "thinking";
  readonly thinking: string;
  readonly thinkingSignature?: string;
}

const ROLES = { user: "user", assistant: "assistant", toolResult: "tool" } as const;

/** Sessions of pi, the coding agent. */
export const pi: RecordsFormat = {
  name: "pi",
  title: "pi session",
  wire: "anthropic",
  layout: "records",
  detect: (record) => isMessageLine(record) || (record["type"] === "session" && typeof record["id"] === "string" && "cwd" in record),
  createDecoder: () => new PiDecoder(),
  encode: (records, view) => relinkRecords(records, encodeDialect(records, view, dialect), "id", "parentId"),
};

function isMessageLine(record: object): record is MessageLine {
  const { type, message } = record as Readonly<Record<string, unknown>>;
  if (type !== "message" || !isRecord(message) || typeof message["role"] !== "string" || !Object.hasOwn(ROLES, message["role"])) return false;
  return typeof message["content"] === "string" || Array.isArray(message["content"]);
}

class PiDecoder implements RecordDecoder {
  #begun = false;
  readonly #turns = new TurnDecoder((records) => decodeDialect(records, dialect));

  push(record: object): readonly Entry[] {
    if (isMessageLine(record)) return [...this.#begin({}), ...this.#turns.push(record)];
    const { type } = record as Readonly<Record<string, unknown>>;
    if (type === "session") return this.#begin(record);
    if (type !== "compaction") return [];
    const tokensBefore = fieldAt(record, "tokensBefore");
    const atMs = timeOf(fieldAt(record, "timestamp"));
    return [...this.#turns.end(), { kind: "compaction", by: type, ...messageFacts({ atMs }), ...(typeof tokensBefore === "number" ? { tokensBefore } : {}) }];
  }

  end(): readonly Entry[] {
    return this.#turns.end();
  }

  #begin(session: object): readonly Entry[] {
    if (this.#begun) return [];
    this.#begun = true;
    const id = fieldAt(session, "id");
    return [{ kind: "trajectory", id: typeof id === "string" ? id : "session", ...messageFacts({ model: fieldAt(session, "modelId") }) }];
  }
}

const dialect: ChatDialect<MessageLine> = {
  isMessage: isMessageLine,
  roleOf: ({ message }) => ROLES[message.role],
  read: readMessage,
  factsOf,
  write: writeMessage,
  writeResult,
};

function factsOf({ timestamp, message }: MessageLine): MessageFacts {
  const count = (field: string): number => countOf(fieldAt(message, "usage", field));
  const usage = { cacheReadTokens: count("cacheRead"), cacheWriteTokens: count("cacheWrite"), outputTokens: count("output") };
  const inputTokens = count("input") + usage.cacheReadTokens + usage.cacheWriteTokens;
  const facts = messageFacts({ atMs: timeOf(timestamp), model: fieldAt(message, "model"), usage: usageUnlessNone({ inputTokens, ...usage }) });
  return message.role === "assistant" ? { ...facts, ...wireOf(fieldAt(message, "api"), facts.model) } : facts;
}

const WIRES: Readonly<Record<string, FormatName>> = {
  "anthropic-messages": "anthropic",
  "bedrock-converse-stream": "anthropic",
  "openai-responses": "openai-responses",
  "openai-codex-responses": "openai-responses",
  "azure-openai-responses": "openai-responses",
};

/** Older files name only the model. For other APIs only the common rules are checked: calls and results belong together. */
function wireOf(api: unknown, model: string | undefined): Pick<MessageFacts, "wire"> {
  if (typeof api === "string") return { wire: WIRES[api] ?? "openai-chat" };
  return model === undefined || /claude/i.test(model) ? {} : { wire: "openai-chat" };
}

function readMessage({ message }: MessageLine): Message | ToolResultBlock {
  const role = ROLES[message.role];
  const content = readContent(message.content);
  if (role === "tool") return { type: "tool_result", tool_use_id: message.toolCallId ?? "", content, ...(message.isError === true ? { is_error: true } : {}) };
  return { role, content: role === "user" || typeof content === "string" ? content : content.map(readBlock) };
}

function readBlock(block: Block): Block {
  if (isCall(block)) return decodedFrom([block], { type: "tool_use", id: block.id, name: block.name, input: block.arguments });
  if (!isThinking(block)) return block;
  const { thinking, thinkingSignature: signature } = block as Thinking;
  return decodedFrom([block], { type: "thinking", thinking, ...(signature === undefined ? {} : { signature }) });
}

function isCall(block: Block): block is ToolCall {
  return block.type === "toolCall";
}

function writeMessage(message: Message, line: MessageLine | undefined, before: MessageLine | undefined): MessageLine {
  const content = typeof message.content === "string" ? message.content : message.content.map(writeBlock);
  if (line !== undefined) return { ...line, message: { ...line.message, content } };
  // Only the user's content may be a string.
  const said = message.role === "assistant" ? blocksOf(message).map(writeBlock) : content;
  return newLine(message, { role: message.role === "assistant" ? "assistant" : "user", content: said }, before);
}

function writeBlock(block: Block): Block {
  const [untouched] = untouchedNatives<Block>(block) ?? [];
  if (untouched !== undefined) return untouched;
  const [native] = nativesOf<Block>(block) ?? [];
  if (isToolUse(block)) return { ...native, type: "toolCall", id: block.id, name: block.name, arguments: block.input } as ToolCall;
  return isThinking(block) && native !== undefined ? native : block;
}

function newLine(message: Message, written: MessageLine["message"], before: MessageLine | undefined): MessageLine {
  const id = before?.id === undefined ? {} : { id: recordId(message, before.id), parentId: before.id };
  return { type: "message", ...id, ...(before?.timestamp === undefined ? {} : { timestamp: before.timestamp }), message: written };
}

/** `details` repeats the result for the screen. */
function writeResult(result: ToolResultBlock, line: MessageLine | undefined): MessageLine {
  const content = typeof result.content === "string" ? [{ type: "text", text: result.content }] : (result.content ?? []);
  if (line === undefined) {
    const written = { role: "toolResult", toolCallId: result.tool_use_id, content, isError: result.is_error === true } as const;
    return newLine({ role: "user", content: [result] }, written, undefined);
  }
  const { details: _, ...message } = line.message as MessageLine["message"] & { readonly details?: unknown };
  return { ...line, message: { ...message, content } };
}
