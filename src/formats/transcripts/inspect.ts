import { blocksOf, isThinking, isToolUse, resultText, type Block, type Message, type ToolResultBlock, type ToolUseBlock } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { decodedFrom, nativesOf, untouchedNatives } from "../origin.ts";
import { decodeDialect, encodeDialect, type ChatDialect } from "./chat-dialect.ts";
import { decodeTogether } from "./decode-together.ts";
import { factsFromEvents, isSample, resolveAttachments, type Sample } from "./inspect-sample.ts";
import { messageFacts, type MessageFacts } from "./message-facts.ts";
import { readBlocks, readContent, writeContent, writeResultContent } from "./record-content.ts";
import { recordId } from "./record-id.ts";
import type { DocumentFormat, Section } from "./transcript-format.ts";
import { fieldAt, itemsOf } from "./unchecked-fields.ts";

interface InspectMessage {
  readonly id?: string | null;
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | readonly Block[];
  readonly tool_calls?: readonly InspectCall[] | null;
  readonly tool_call_id?: string;
  readonly error?: { readonly type: string; readonly message: string } | null;
}

interface InspectCall {
  readonly id: string;
  readonly function: string;
  readonly arguments: unknown;
  readonly type?: string;
}

interface ReasoningPart extends Block {
  readonly type: "reasoning";
  readonly reasoning: string;
}

/** A log of Inspect: one sample, as in an `.eval` file, or the whole log in one document. */
export const inspect: DocumentFormat = {
  name: "inspect",
  title: "Inspect log",
  wire: "openai-chat",
  layout: "document",
  detect: (document) => isSample(document) || isLog(document),
  sections: (document) => samplesIn(document).map(sectionOf),
  assemble: (document, records) => {
    const samples = samplesIn(document).map((sample, number) => ({ ...sample, messages: records[number] ?? sample.messages }));
    return isLog(document) ? { ...document, samples } : samples[0];
  },
  createDecoder: (section) => decodeTogether((records) => decodeDialect(records, dialectOf(sampleOf.get(section.records) ?? NO_SAMPLE))),
  encode: (records, view) => encodeDialect(records, view, dialectOf(NO_SAMPLE)),
};

/** The sample of a list of messages: part of their content is elsewhere in the sample. Writing does not need it. */
const sampleOf = new WeakMap<readonly object[], Sample>();
const NO_SAMPLE: Sample = { id: "", epoch: 0, messages: [] };

function isLog(value: unknown): value is { readonly samples: readonly Sample[] } {
  return isRecord(value) && isRecord(value["eval"]) && Array.isArray(value["samples"]) && value["samples"].every(isSample);
}

function samplesIn(document: unknown): readonly Sample[] {
  return isLog(document) ? document.samples : [document as Sample];
}

function sectionOf(sample: Sample): Section {
  const tools = itemsOf(sample.events)
    .map((event) => fieldAt(event, "tools"))
    .find((found): found is unknown[] => Array.isArray(found) && found.length > 0);
  sampleOf.set(sample.messages, sample);
  return {
    id: `${sample.id}/${sample.epoch}`,
    records: sample.messages,
    ...messageFacts({ model: fieldAt(sample, "output", "model") }),
    ...(tools === undefined ? {} : { tools: resolveAttachments(tools, sample.attachments ?? {}) }),
  };
}

function dialectOf(sample: Sample): ChatDialect<InspectMessage> {
  const facts: ReadonlyMap<object, MessageFacts> = factsFromEvents(sample);
  return {
    isMessage: isInspectMessage,
    roleOf: ({ role }) => role,
    read: (record) => readMessage(resolveAttachments(record, sample.attachments ?? {})),
    factsOf: (record) => facts.get(record) ?? {},
    write: writeMessage,
    writeResult,
  };
}

const ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "tool"]);

function isInspectMessage(record: object): record is InspectMessage {
  return ROLES.has(fieldAt(record, "role"));
}

function readMessage(record: InspectMessage): Message | ToolResultBlock {
  const { role, error } = record;
  if (role === "tool") {
    // The model reads the error instead of the content.
    const said = isRecord(error) ? { content: error.message, is_error: true } : { content: readContent(record.content) };
    return { type: "tool_result", tool_use_id: record.tool_call_id ?? "", ...said };
  }
  const calls = itemsOf(record.tool_calls).map(readCall);
  if (typeof record.content === "string" && calls.length === 0) return { role, content: record.content };
  return { role, content: [...readBlocks(record.content).map(readPart), ...calls] };
}

function readPart(part: Block): Block {
  if (part.type !== "reasoning") return part;
  return decodedFrom([part], { type: "thinking", thinking: (part as ReasoningPart).reasoning } as Block);
}

function readCall(call: InspectCall): ToolUseBlock {
  return decodedFrom([call], { type: "tool_use", id: call.id, name: call.function, input: call.arguments });
}

function writeMessage(message: Message, record: InspectMessage | undefined, before: InspectMessage | undefined): InspectMessage {
  const blocks = blocksOf(message);
  const calls = blocks.filter(isToolUse).map(writeCall);
  const said = blocks.filter((block) => !isToolUse(block)).map(writePart);
  const content = writeContent(said, record?.content);
  if (record === undefined) return { ...(typeof before?.id === "string" ? { id: recordId(message, before.id) } : {}), role: message.role, content };
  const { tool_calls: _, ...rest } = record;
  return { ...rest, content, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}

function writePart(block: Block): Block {
  return isThinking(block) ? (nativesOf<Block>(block)?.[0] ?? block) : block;
}

function writeCall(block: ToolUseBlock): InspectCall {
  const [untouched] = untouchedNatives<InspectCall>(block) ?? [];
  if (untouched !== undefined) return untouched;
  // `view` shows the arguments to people.
  const [{ view: _, ...native } = { type: "function" }] = nativesOf<InspectCall & { readonly view?: unknown }>(block) ?? [];
  return { ...native, id: block.id, function: block.name, arguments: block.input };
}

function writeResult(result: ToolResultBlock, record: InspectMessage | undefined): InspectMessage {
  const content = writeResultContent(result, record?.content);
  if (record === undefined) return { role: "tool", content, tool_call_id: result.tool_use_id };
  const { error } = record;
  return isRecord(error) ? { ...record, error: { ...error, message: resultText(result) } } : { ...record, content };
}
