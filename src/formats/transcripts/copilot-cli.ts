import { blocksOf, isText, isThinking, isToolUse, resultText, textBlock, type Block, type Message, type ToolResultBlock } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { decodedFrom, nativesOf, untouchedNatives } from "../origin.ts";
import { decodeDialect, encodeDialect, type ChatDialect } from "./chat-dialect.ts";
import { messageFacts, timeOf, type MessageFacts } from "./message-facts.ts";
import { joinTexts } from "./record-content.ts";
import { recordId } from "./record-id.ts";
import { relinkRecords } from "./relink-records.ts";
import type { CompactionEntry, Entry, MessageEntry, RecordDecoder, RecordsFormat } from "./transcript-format.ts";
import { TurnDecoder } from "./turn-decoder.ts";
import { fieldAt, itemsOf, textAt } from "./unchecked-fields.ts";

/** A line of a Copilot CLI session that holds a message or a tool result. */
interface MessageEvent {
  readonly type: keyof typeof ROLES;
  readonly id: string;
  readonly parentId: string | null;
  readonly timestamp?: string;
  readonly data: {
    readonly content?: string;
    /** The text that the model was sent in place of the user's. */
    readonly transformedContent?: string;
    readonly reasoningText?: string;
    readonly toolRequests?: readonly ToolRequest[];
    readonly toolCallId?: string;
    readonly success?: boolean;
    readonly result?: { readonly content: string };
    readonly error?: { readonly message: string };
  };
}

interface ToolRequest {
  readonly toolCallId: string;
  readonly name: string;
  readonly arguments?: unknown;
}

const ROLES = { "system.message": "system", "user.message": "user", "assistant.message": "assistant", "tool.execution_complete": "tool" } as const;
const COMPACTIONS: ReadonlySet<unknown> = new Set(["session.compaction_complete", "session.truncation"]);

/** Sessions of Copilot CLI: a list of events, each of which names the previous one. */
export const copilotCli: RecordsFormat = {
  name: "copilot-cli",
  title: "Copilot CLI session",
  wire: "openai-chat",
  layout: "records",
  detect: (record) => isMessageEvent(record) || (record["type"] === "session.start" && isRecord(record["data"])),
  createDecoder: () => new CopilotDecoder(),
  encode: (records, view) => relinkRecords(records, encodeDialect(records, view, dialect), "id", "parentId"),
};

function isMessageEvent(record: object): record is MessageEvent {
  const { type, data } = record as Partial<MessageEvent>;
  // An event with a parent call belongs to the conversation of another agent, which that call started.
  return typeof type === "string" && Object.hasOwn(ROLES, type) && isRecord(data) && fieldAt(data, "parentToolCallId") === undefined;
}

class CopilotDecoder implements RecordDecoder {
  #begun = false;
  readonly #turns = new TurnDecoder((records) => decodeDialect(records, dialect).map(counted));

  push(record: object): readonly Entry[] {
    const { type, data } = record as Readonly<Record<string, unknown>>;
    if (isMessageEvent(record)) return [...this.#begin(undefined), ...this.#turns.push(record)];
    if (type === "session.start") return this.#begin(fieldAt(data, "sessionId"));
    return COMPACTIONS.has(type) ? [...this.#turns.end(), compactionOf(record)] : [];
  }

  end(): readonly Entry[] {
    return this.#turns.end();
  }

  #begin(id: unknown): readonly Entry[] {
    if (this.#begun) return [];
    this.#begun = true;
    return [{ kind: "trajectory", id: typeof id === "string" ? id : "session" }];
  }
}

/** A tool result is an event of the tool, so it does not count as a message. */
function counted(entry: MessageEntry): MessageEntry {
  const [event] = nativesOf<MessageEvent>(entry.message) ?? [];
  return event?.type === "tool.execution_complete" ? { ...entry, nativeMessages: 0 } : entry;
}

function compactionOf(record: object): CompactionEntry {
  const tokensBefore = fieldAt(record, "data", "preCompactionTokens") ?? fieldAt(record, "data", "preTruncationTokensInMessages");
  return {
    kind: "compaction",
    by: textAt(record, "type") ?? "",
    ...messageFacts({ atMs: timeOf(fieldAt(record, "timestamp")) }),
    ...(typeof tokensBefore === "number" ? { tokensBefore } : {}),
  };
}

const dialect: ChatDialect<MessageEvent> = {
  isMessage: isMessageEvent,
  roleOf: ({ type }) => ROLES[type],
  read: readEvent,
  factsOf,
  write: writeEvent,
  writeResult,
};

/** The file has only the output tokens, so no usage is reported. */
function factsOf({ type, timestamp, data }: MessageEvent): MessageFacts {
  return messageFacts({ atMs: timeOf(timestamp), model: type === "assistant.message" ? fieldAt(data, "model") : undefined });
}

function readEvent({ type, data }: MessageEvent): Message | ToolResultBlock {
  const role = ROLES[type];
  if (role === "tool") {
    const content = textAt(data, "result", "content") ?? textAt(data, "error", "message") ?? "";
    return { type: "tool_result", tool_use_id: textAt(data, "toolCallId") ?? "", content, ...(data.success === false ? { is_error: true } : {}) };
  }
  const said = (role === "user" ? textAt(data, "transformedContent") : undefined) ?? textAt(data, "content") ?? "";
  const thinking = textAt(data, "reasoningText") ?? "";
  const calls = itemsOf(data.toolRequests);
  if (calls.length === 0 && thinking === "") return { role, content: said };
  return {
    role,
    content: [
      ...(thinking === "" ? [] : [{ type: "thinking", thinking }]),
      ...(said === "" ? [] : [textBlock(said)]),
      ...calls.map((call) => decodedFrom([call], { type: "tool_use", id: call.toolCallId, name: call.name, input: call.arguments ?? {} })),
    ],
  };
}

function writeEvent(message: Message, event: MessageEvent | undefined, before: MessageEvent | undefined): MessageEvent {
  const blocks = blocksOf(message);
  const content = joinTexts(blocks.filter(isText));
  if (event === undefined) return newEvent(message, { content }, before);
  if (message.role !== "assistant") {
    const { transformedContent: _, ...data } = event.data;
    return { ...event, data: { ...data, content } };
  }
  const { reasoningText, reasoningOpaque, ...data } = event.data as MessageEvent["data"] & { readonly reasoningOpaque?: unknown };
  const reasoning = blocks.some(isThinking) ? { ...(reasoningText === undefined ? {} : { reasoningText }), reasoningOpaque } : {};
  return { ...event, data: { ...data, content, toolRequests: blocks.flatMap(writeCall), ...reasoning } };
}

function writeCall(block: Block): readonly ToolRequest[] {
  if (!isToolUse(block)) return [];
  const [untouched] = untouchedNatives<ToolRequest>(block) ?? [];
  const [native = { type: "function" }] = nativesOf<ToolRequest>(block) ?? [];
  return [untouched ?? { ...native, toolCallId: block.id, name: block.name, arguments: block.input }];
}

function newEvent(message: Message, data: MessageEvent["data"], before: MessageEvent | undefined): MessageEvent {
  const type = message.role === "assistant" ? "assistant.message" : message.role === "user" ? "user.message" : "system.message";
  return {
    type,
    data,
    id: recordId(message, before?.id),
    ...(before?.timestamp === undefined ? {} : { timestamp: before.timestamp }),
    parentId: before?.id ?? null,
  };
}

/** The result for people (`detailedContent`) holds the full text: hidden text must be removed there too. */
function writeResult(result: ToolResultBlock, event: MessageEvent | undefined): MessageEvent {
  const content = resultText(result);
  if (event === undefined) {
    const made = { toolCallId: result.tool_use_id, success: result.is_error !== true, result: { content } };
    return { ...newEvent({ role: "user", content: [result] }, made, undefined), type: "tool.execution_complete" };
  }
  const { error, ...data } = event.data;
  const isError = data.result === undefined && isRecord(error);
  return { ...event, data: { ...data, ...(isError ? { error: { ...error, message: content } } : { result: { content } }) } };
}
