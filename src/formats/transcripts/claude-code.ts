import { blocksOf, isToolResult, type Block, type Message } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { parseMessages } from "../../messages/parse-messages.ts";
import type { Usage } from "../../messages/usage.ts";
import { decodedFrom, nativesOf, untouchedNatives } from "../origin.ts";
import { blocksByRecord } from "./blocks-by-record.ts";
import { messageFacts } from "./message-facts.ts";
import { relinkRecords } from "./relink-records.ts";
import { recordId } from "./record-id.ts";
import type { CompactionEntry, Entry, MessageEntry, RecordDecoder, RecordsFormat } from "./transcript-format.ts";
import { weaveRecords, type WrittenRecord } from "./weave-records.ts";
import { textAt } from "./unchecked-fields.ts";

/** A line of a Claude Code session that holds an Anthropic message. */
interface MessageLine {
  readonly type: "user" | "assistant";
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly timestamp?: string;
  readonly sessionId?: string;
  readonly message: Message & { readonly id?: string; readonly model?: string; readonly usage?: Readonly<Record<string, unknown>> };
}

/**
 * Claude Code's session files. One response is spread over lines with the same `message.id`, and the results of its first
 * calls may stand between them. A sidechain is another agent's conversation.
 */
export const claudeCode: RecordsFormat = {
  name: "claude-code",
  title: "Claude Code session",
  wire: "anthropic",
  layout: "records",
  detect: (record) => typeof record["sessionId"] === "string" && (isMessageLine(record) || typeof record["uuid"] === "string" || "operation" in record),
  createDecoder: () => new ClaudeCodeDecoder(),
  encode: encodeLines,
};

function isMessageLine(record: object): record is MessageLine {
  const { type, message, isSidechain } = record as Readonly<Record<string, unknown>>;
  if ((type !== "user" && type !== "assistant") || isSidechain === true || !isRecord(message)) return false;
  return message["role"] === type && (typeof message["content"] === "string" || Array.isArray(message["content"]));
}

class ClaudeCodeDecoder implements RecordDecoder {
  #begun = false;
  #response: MessageLine[] = [];
  /** Results since the response began. */
  #results: MessageLine[] = [];

  push(record: object): readonly Entry[] {
    if (!isMessageLine(record)) return this.#other(record as Readonly<Record<string, unknown>>);
    parseMessages([record.message]);
    const started: Entry[] = this.#begun ? [] : [{ kind: "trajectory", id: record.sessionId ?? "session" }];
    this.#begun = true;
    const { id } = record.message;
    if (record.type === "assistant" && id !== undefined && this.#response[0]?.message.id === id) {
      this.#response.push(record);
      return started;
    }
    if (record.type === "user" && holdsOnlyResults(record.message)) {
      this.#results.push(record);
      return started;
    }
    const complete = this.#flush();
    if (record.type === "assistant") this.#response = [record];
    else complete.push(entryOf([record]));
    return [...started, ...complete];
  }

  end(): readonly Entry[] {
    return this.#flush();
  }

  #flush(): Entry[] {
    const entries = [this.#response, this.#results].filter((lines) => lines.length > 0).map(entryOf);
    this.#response = [];
    this.#results = [];
    return entries;
  }

  #other(record: Readonly<Record<string, unknown>>): readonly Entry[] {
    const compaction = compactionOf(record);
    return compaction === undefined ? [] : [...this.#flush(), compaction];
  }
}

function holdsOnlyResults(message: Message): boolean {
  return typeof message.content !== "string" && message.content.length > 0 && message.content.every(isToolResult);
}

function entryOf(lines: readonly MessageLine[]): MessageEntry {
  const [first] = lines;
  const last = lines.at(-1) ?? first;
  const role = first?.type ?? "user";
  const content = lines.length === 1 ? (first?.message.content ?? "") : lines.flatMap((line) => blocksOf(line.message));
  const atMs = Date.parse(textAt(first, "timestamp") ?? "");
  const usage = usageOf(last?.message.usage);
  return {
    kind: "message",
    message: decodedFrom(lines, { role, content }),
    nativeMessages: role === "assistant" ? 1 : lines.length,
    ...messageFacts({ atMs: Number.isNaN(atMs) ? undefined : atMs, model: first?.message.model, usage }),
  };
}

function usageOf(usage: Readonly<Record<string, unknown>> | undefined): Usage | undefined {
  if (usage === undefined) return undefined;
  const count = (field: string): number => (typeof usage[field] === "number" ? usage[field] : 0);
  const cacheReadTokens = count("cache_read_input_tokens");
  const cacheWriteTokens = count("cache_creation_input_tokens");
  return { inputTokens: count("input_tokens") + cacheReadTokens + cacheWriteTokens, cacheReadTokens, cacheWriteTokens, outputTokens: count("output_tokens") };
}

function compactionOf(record: Readonly<Record<string, unknown>>): CompactionEntry | undefined {
  const { subtype } = record;
  if (subtype !== "compact_boundary" && subtype !== "microcompact_boundary") return undefined;
  const metadata = record["compactMetadata"] ?? record["microcompactMetadata"];
  const tokensBefore = isRecord(metadata) ? metadata["preTokens"] : undefined;
  const atMs = Date.parse(textAt(record, "timestamp") ?? "");
  return { kind: "compaction", by: subtype, ...(Number.isNaN(atMs) ? {} : { atMs }), ...(typeof tokensBefore === "number" ? { tokensBefore } : {}) };
}

function encodeLines(records: readonly object[], view: readonly Message[]): object[] {
  const written: WrittenLine[] = [];
  const used = new Set<object>();
  for (const message of view) {
    for (const line of writeMessage(message, written.at(-1)?.record ?? records.find(isMessageLine), used)) {
      written.push(line);
      used.add(line.record).add(line.inPlaceOf ?? line.record);
    }
  }
  return relinkRecords(records, weaveRecords(records, isMessageLine, written), "uuid", "parentUuid");
}

interface WrittenLine extends WrittenRecord {
  readonly record: MessageLine;
}

function writeMessage(message: Message, before: MessageLine | undefined, used: ReadonlySet<object>): readonly WrittenLine[] {
  const untouched = untouchedNatives<MessageLine>(message);
  if (untouched !== undefined) return untouched.map((line) => ({ record: line, inPlaceOf: line }));
  // A message that is shown in two parts has only one place, so the second part becomes a new line.
  const natives = (nativesOf<MessageLine>(message) ?? []).filter((line) => !used.has(line));
  return natives.length === 0 ? [{ record: newLine(message, before) }] : changedLines(natives, message);
}

/** Returns each line with its remaining blocks; new blocks go to the last line. */
function changedLines(natives: readonly MessageLine[], message: Message): WrittenLine[] {
  const [first] = natives;
  if (first === undefined || natives.length === 1) return natives.map((line) => ({ record: withContent(line, message.content), inPlaceOf: line }));
  const shown = blocksByRecord(natives, (line) => blocksOf(line.message), blocksOf(message));
  const left = natives.flatMap((line, number) => {
    const blocks = shown[number] ?? [];
    return blocks.length === 0 ? [] : [{ record: sameBlocks(blocks, line.message.content) ? line : withContent(line, blocks), inPlaceOf: line }];
  });
  // Results may stand between the lines, even before their calls, so the remaining lines begin where the message began.
  return left.map((line, number) => (number === 0 ? { ...line, inPlaceOf: first } : line));
}

function sameBlocks(blocks: readonly Block[], content: Message["content"]): boolean {
  return typeof content !== "string" && blocks.length === content.length && blocks.every((block, number) => block === content[number]);
}

/** Claude Code stores the result a second time, in another shape: hidden text must be removed there too. */
function withContent(line: MessageLine, content: Message["content"]): MessageLine {
  const { toolUseResult: _, ...rest } = line as MessageLine & { readonly toolUseResult?: unknown };
  return { ...rest, message: { ...line.message, content } };
}

/** Creates a line for a message that is not in the log, such as a summary, with the other fields of its neighbour. */
function newLine(message: Message, neighbour: MessageLine | undefined): MessageLine {
  const { message: _message, toolUseResult: _result, requestId: _request, ...surroundings } = (neighbour ?? {}) as Readonly<Record<string, unknown>>;
  const uuid = recordId(message, neighbour?.uuid);
  const type = message.role === "assistant" ? "assistant" : "user";
  return { ...surroundings, type, uuid, parentUuid: neighbour?.uuid ?? null, message: { role: type, content: message.content } };
}
