import { blocksOf, isText, isToolUse, resultText, type Block, type Message, type ToolResultBlock, type ToolUseBlock } from "../../messages/message.ts";
import { nativesOf, untouchedNatives } from "../origin.ts";
import { gatherByRecord, type Gathered } from "./gather-by-record.ts";
import {
  isConversation,
  isShown,
  isTextPart,
  isToolPart,
  roleOfStep,
  type MessageInfo,
  type OpenCodeMessage,
  type Part,
  type Step,
  type TextPart,
  type ToolPart,
  type ToolState,
} from "./opencode-message.ts";
import { recordId } from "./record-id.ts";
import { itemsOf } from "./unchecked-fields.ts";
import { weaveRecords, type WrittenRecord } from "./weave-records.ts";

interface WrittenMessage extends WrittenRecord {
  readonly record: OpenCodeMessage;
}

export function encodeSession(records: readonly object[], view: readonly Message[]): object[] {
  const session = records.filter(isConversation);
  const used = new Set<OpenCodeMessage>();
  const written: WrittenMessage[] = [];
  for (const shown of groupByRecord(gatherByRecord<Step>(view, roleOfStep))) {
    const [{ native, message }] = shown;
    const before = written.at(-1)?.record;
    if (native === undefined) {
      written.push({ record: newMessage(message, session, before) });
      continue;
    }
    const record = withParts(native.record, shown.flatMap(writeStep));
    // Something new stands between two steps of the record, so the later step becomes a message of its own.
    written.push(used.has(native.record) ? { record: withId(record, idAfter(before, message)) } : { record, inPlaceOf: native.record });
    used.add(native.record);
  }
  return weaveRecords(records, isConversation, reparented(session, written));
}

type Group = readonly [Gathered<Step>, ...Gathered<Step>[]];

/** Groups neighbouring steps of one message. */
function groupByRecord(gathered: readonly Gathered<Step>[]): readonly Group[] {
  const groups: [Gathered<Step>, ...Gathered<Step>[]][] = [];
  for (const shown of gathered) {
    const last = groups.at(-1);
    if (last !== undefined && shown.native !== undefined && last[0].native?.record === shown.native.record) last.push(shown);
    else groups.push([shown]);
  }
  return groups;
}

function withParts(record: OpenCodeMessage, parts: readonly Part[]): OpenCodeMessage {
  const isUnchanged = parts.length === record.parts.length && parts.every((part, number) => part === record.parts[number]);
  return isUnchanged ? record : { ...record, parts };
}

/** Returns the remaining parts of the step, the parts that are never shown, and new parts after the ones they follow. */
function writeStep({ native, message, results }: Gathered<Step>): readonly Part[] {
  if (native === undefined) return [];
  const { parts, record } = native;
  const shown = new Map<Part, Block>();
  const added = new Map<Part | undefined, Part[]>();
  let latest = parts[0]?.type === "step-start" ? parts[0] : undefined;
  for (const block of blocksOf(message)) {
    const part = partOf(block);
    if (parts.includes(part) && !shown.has(part)) {
      shown.set(part, block);
      latest = part;
    } else if (isText(block)) {
      added.set(latest, [...(added.get(latest) ?? []), newPart(block.text, latest, record.info)]);
    }
  }
  const answers = new Map(results.map((result) => [partOf(result), result]));
  const written = parts.flatMap((part) => {
    const block = shown.get(part);
    const kept = block === undefined ? (isShown(part) ? [] : [part]) : [writePart(part, block, answers.get(part))];
    return [...kept, ...(added.get(part) ?? [])];
  });
  return [...(added.get(undefined) ?? []), ...written];
}

/** Encodes a block as a part. A file block is its own part. */
function partOf(block: Block): Part {
  return nativesOf<Part>(block)?.[0] ?? block;
}

function writePart(part: Part, block: Block, result: ToolResultBlock | undefined): Part {
  if (isToolPart(part) && isToolUse(block)) return writeTool(part, block, result);
  if (!isText(block) || untouchedNatives(block) !== undefined) return part;
  // For other kinds of parts, the text that OpenCode sends is not in the file.
  return { ...part, type: isTextPart(part) ? part.type : "text", text: block.text } as TextPart;
}

function writeTool(part: ToolPart, call: ToolUseBlock, result: ToolResultBlock | undefined): ToolPart {
  const { state } = part;
  const after = result === undefined ? unanswered(state) : untouchedNatives(result) === undefined ? answeredWith(state, result) : state;
  if (after === state && untouchedNatives(call) !== undefined) return part;
  return { ...part, state: { ...after, input: call.input } };
}

function unanswered(state: ToolState): ToolState {
  return state.status === "pending" || state.status === "running" ? state : { status: "pending", input: state.input };
}

function answeredWith(state: ToolState, result: ToolResultBlock): ToolState {
  if (state.status === "error") return { ...state, error: resultText(result) };
  // The metadata of many tools repeats the output.
  const { attachments, ...rest } = { ...state, metadata: {} };
  const shown = typeof result.content === "string" ? [] : (result.content ?? []);
  const files = itemsOf(attachments).filter((file) => shown.includes(file));
  return { ...rest, output: resultText(result), ...(files.length === 0 ? {} : { attachments: files }) };
}

/** OpenCode sorts by id, so a new message extends the id of the message that it follows. */
function idAfter(before: OpenCodeMessage | undefined, message: Message): string {
  return (before?.info.id ?? "msg_0") + recordId(message, before?.info.id).slice(0, 8);
}

function newPart(text: string, previous: Part | undefined, { id, sessionID }: Pick<MessageInfo, "id" | "sessionID">): TextPart {
  const ids = { id: (previous?.id ?? "prt_0") + recordId({ role: "user", content: text }, previous?.id ?? id).slice(0, 8), sessionID, messageID: id };
  return { ...ids, type: "text", text };
}

function withId(record: OpenCodeMessage, id: string): OpenCodeMessage {
  return { info: { ...record.info, id }, parts: record.parts.map((part) => ({ ...part, messageID: id })) };
}

/** Creates a message that is not in the session, with the other fields of a message of the same role. */
function newMessage(message: Message, session: readonly OpenCodeMessage[], before: OpenCodeMessage | undefined): OpenCodeMessage {
  const role = message.role === "assistant" ? "assistant" : "user";
  const like = session.find(({ info }) => info.role === role) ?? session[0];
  const { summary: _summary, error: _error, finish: _finish, ...info } = (like?.info ?? {}) as Partial<MessageInfo> & Readonly<Record<string, unknown>>;
  const id = idAfter(before, message);
  const sessionID = info.sessionID ?? "";
  const created = (before ?? like)?.info.time.created ?? 0;
  const parts: Part[] = [];
  for (const block of blocksOf(message)) if (isText(block)) parts.push(newPart(block.text, parts.at(-1), { id, sessionID }));
  return { info: { ...info, ...(role === "assistant" ? NO_COST : {}), id, sessionID, role, time: { created } }, parts };
}

/** For messages that no model was called for. */
const NO_COST = { cost: 0, tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } } };

/** If the parent of an answer is gone, the nearest earlier user message becomes its parent: OpenCode hides answers without one. */
function reparented(session: readonly OpenCodeMessage[], written: readonly WrittenMessage[]): readonly WrittenMessage[] {
  const kept = new Set(written.map(({ record }) => record.info.id));
  const gone = new Set(session.map(({ info }) => info.id).filter((id) => !kept.has(id)));
  let asked: string | undefined;
  return written.map((message) => {
    const { info } = message.record;
    if (info.role === "user") asked = info.id;
    if (asked === undefined || info.parentID === undefined || !gone.has(info.parentID)) return message;
    return { ...message, record: { ...message.record, info: { ...info, parentID: asked } } };
  });
}
