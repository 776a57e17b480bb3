import type { Message } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import type { Usage } from "../../messages/usage.ts";
import { nativesOf } from "../origin.ts";
import { inheriting } from "../openai-responses/inherited-reasoning.ts";
import { isMessageItem, isReasoning, sideOf } from "../openai-responses/item-kinds.ts";
import { openaiResponses } from "../openai-responses/openai-responses.ts";
import { parseResponseItem, type ResponseItem } from "../openai-responses/response-item.ts";
import { messageFacts, timeOf, usageUnlessNone } from "./message-facts.ts";
import type { Entry, MessageEntry, RecordDecoder, RecordsFormat } from "./transcript-format.ts";
import { countOf, fieldAt } from "./unchecked-fields.ts";
import { weaveRecords, type WrittenRecord } from "./weave-records.ts";

/** A line of a rollout that holds an item of the Responses API. */
interface ItemLine {
  readonly type: "response_item";
  readonly timestamp?: string;
  readonly payload: ResponseItem;
}

/** The other types of lines. */
const KINDS: ReadonlySet<unknown> = new Set(["session_meta", "turn_context", "event_msg", "compacted"]);

/** Codex's rollouts. Their items are those that were sent; events repeat the same for people. */
export const codex: RecordsFormat = {
  name: "codex",
  title: "Codex rollout",
  wire: "openai-responses",
  layout: "records",
  detect: (record) => isItemLine(record) || (KINDS.has(record["type"]) && isRecord(record["payload"])),
  createDecoder: () => new CodexDecoder(),
  encode: encodeLines,
};

function isItemLine(record: object): record is ItemLine {
  const { type, payload } = record as Partial<ItemLine>;
  // A snapshot of the working tree is never sent.
  return type === "response_item" && isRecord(payload) && payload["type"] !== "ghost_snapshot";
}

class CodexDecoder implements RecordDecoder {
  #begun = false;
  #model: string | undefined;
  /** The incomplete response, and the outputs that answer it. */
  #response: ItemLine[] = [];
  #outputs: ItemLine[] = [];
  #usage: Usage | undefined;
  /** The last reasoning of the loop: `decode` sees one response at a time. */
  #reasoning: ResponseItem | undefined;

  push(record: object): readonly Entry[] {
    if (isItemLine(record)) {
      // Refuse a bad line here, before it spoils the response that it belongs to.
      parseResponseItem(record.payload, "payload");
      return [...this.#begin(undefined), ...this.#item(record)];
    }
    const { type, payload } = record as Readonly<Record<string, unknown>>;
    if (type === "session_meta") return this.#begin(payload);
    if (type === "compacted")
      return [...this.#flush(), { kind: "compaction", by: "compacted", ...messageFacts({ atMs: timeOf(fieldAt(record, "timestamp")) }) }];
    if (type === "turn_context") this.#model = modelOf(payload) ?? this.#model;
    // Usage is reported when the response is complete, before or after the outputs. Later reports repeat it.
    if (type === "event_msg" && fieldAt(payload, "type") === "token_count" && this.#response.length > 0) this.#usage ??= usageOf(payload);
    return [];
  }

  end(): readonly Entry[] {
    return this.#flush();
  }

  #begin(meta: unknown): readonly Entry[] {
    if (this.#begun) return [];
    this.#begun = true;
    const id = fieldAt(meta, "id");
    const system = fieldAt(meta, "base_instructions", "text") ?? fieldAt(meta, "instructions");
    return [{ kind: "trajectory", id: typeof id === "string" ? id : "session", ...(typeof system === "string" && system !== "" ? { system } : {}) }];
  }

  #item(line: ItemLine): readonly Entry[] {
    const side = sideOf(line.payload);
    if (side === "output") {
      this.#outputs.push(line);
      return [];
    }
    if (side === "response") {
      const complete = this.#outputs.length > 0 ? this.#flush() : [];
      this.#response.push(line);
      return complete;
    }
    const complete = this.#flush();
    this.#reasoning = undefined;
    return [...complete, ...openaiResponses.decode([line.payload]).map((message) => entryOf(message, [line], undefined, undefined))];
  }

  #flush(): readonly Entry[] {
    const lines = [...this.#response, ...this.#outputs];
    const entries = openaiResponses.decode(lines.map((line) => line.payload)).map((message) => {
      if (message.role !== "assistant") return entryOf(message, this.#outputs, undefined, undefined);
      return entryOf(inheriting(message, this.#reasoning), this.#response, this.#model, this.#usage);
    });
    this.#reasoning = this.#response.findLast((line) => isReasoning(line.payload))?.payload ?? this.#reasoning;
    this.#response = [];
    this.#outputs = [];
    this.#usage = undefined;
    return entries;
  }
}

/** Reasoning is part of the response, not a message of its own. */
function entryOf(message: Message, lines: readonly ItemLine[], model: string | undefined, usage: Usage | undefined): MessageEntry {
  const nativeMessages = (nativesOf<ResponseItem>(message) ?? []).filter((item) => !isReasoning(item)).length;
  return { kind: "message", message, nativeMessages, ...messageFacts({ atMs: timeOf(lines[0]?.timestamp), model, usage }) };
}

function modelOf(payload: unknown): string | undefined {
  const model = fieldAt(payload, "model");
  return typeof model === "string" ? model : undefined;
}

/** Codex's input tokens include cached tokens. */
function usageOf(payload: unknown): Usage | undefined {
  const last = fieldAt(payload, "info", "last_token_usage");
  return usageUnlessNone({
    inputTokens: countOf(fieldAt(last, "input_tokens")),
    cacheReadTokens: countOf(fieldAt(last, "cached_input_tokens")),
    cacheWriteTokens: 0,
    outputTokens: countOf(fieldAt(last, "output_tokens")),
  });
}

function encodeLines(records: readonly object[], view: readonly Message[]): object[] {
  const lines = new LineFinder(records.filter(isItemLine));
  let last: ItemLine | undefined;
  const written = openaiResponses.encode(view).map((item): WrittenRecord => {
    const line = lines.find(item);
    if (line?.payload === item) {
      last = line;
      return { record: line, inPlaceOf: line };
    }
    last = { ...(line ?? surroundings(last ?? lines.first)), payload: asWritten(item) };
    return line === undefined ? { record: last } : { record: last, inPlaceOf: line };
  });
  return weaveRecords(records, isItemLine, written);
}

/** Finds the line of an item, or of the original of a changed item. */
class LineFinder {
  readonly first: ItemLine | undefined;
  readonly #byItem: ReadonlyMap<ResponseItem, ItemLine>;
  readonly #byKey = new Map<string, ItemLine[]>();

  constructor(lines: readonly ItemLine[]) {
    this.first = lines[0];
    this.#byItem = new Map(lines.map((line) => [line.payload, line]));
    for (const line of lines) {
      const key = keyOf(line.payload);
      if (key === undefined) continue;
      const ofKey = this.#byKey.get(key);
      if (ofKey === undefined) this.#byKey.set(key, [line]);
      else ofKey.push(line);
    }
  }

  find(item: ResponseItem): ItemLine | undefined {
    const line = this.#byItem.get(item) ?? this.#byKey.get(keyOf(item) ?? "")?.[0];
    // Every line is found once: a later call with the same id is another line.
    const key = line === undefined ? undefined : keyOf(line.payload);
    const ofKey = key === undefined ? undefined : this.#byKey.get(key);
    if (ofKey !== undefined && line !== undefined) ofKey.splice(0, ofKey.indexOf(line) + 1);
    return line;
  }
}

/** Calls and outputs are recognized by call id, whatever was changed. */
function keyOf({ type, call_id: callId }: ResponseItem): string | undefined {
  return typeof type === "string" && typeof callId === "string" ? `${type} ${callId}` : undefined;
}

function surroundings(neighbour: ItemLine | undefined): Omit<ItemLine, "payload"> {
  return { ...(neighbour?.timestamp === undefined ? {} : { timestamp: neighbour.timestamp }), type: "response_item" };
}

/** Codex reads only messages that have a type and parts. */
function asWritten(item: ResponseItem): ResponseItem {
  const { role, content } = item;
  if (!isMessageItem(item) || typeof content !== "string") return item;
  return { ...item, type: "message", content: [{ type: role === "assistant" ? "output_text" : "input_text", text: content }] };
}
