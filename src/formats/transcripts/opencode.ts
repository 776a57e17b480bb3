import { textBlock, type Block, type ToolResultBlock } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import type { Usage } from "../../messages/usage.ts";
import { decodedFrom } from "../origin.ts";
import { decodeTogether } from "./decode-together.ts";
import { encodeSession } from "./encode-opencode.ts";
import { messageFacts, usageUnlessNone } from "./message-facts.ts";
import {
  isConversation,
  isOpenCodeMessage,
  isShownFile,
  isToolPart,
  shownText,
  stepsOf,
  type OpenCodeMessage,
  type Step,
  type ToolPart,
} from "./opencode-message.ts";
import type { CompactionEntry, DocumentFormat, Entry, MessageEntry } from "./transcript-format.ts";
import { countOf, fieldAt, itemsOf } from "./unchecked-fields.ts";

interface Session {
  readonly info: { readonly id: string };
  readonly messages: readonly OpenCodeMessage[];
}

/** An exported session of OpenCode. A part of a message holds a call and its result; a message may hold several responses. */
export const opencode: DocumentFormat = {
  name: "opencode",
  title: "OpenCode session",
  // For every provider: reasoning has no signature here.
  wire: "openai-chat",
  layout: "document",
  detect: isSession,
  sections: (document) => {
    const { info, messages } = document as Session;
    const system = messages.map((message) => fieldAt(message.info, "system")).find((found) => Array.isArray(found) && found.length > 0);
    const model = messages.find(({ info: { role } }) => role === "assistant")?.info.modelID;
    return [{ id: info.id, records: messages, ...messageFacts({ model }), ...(Array.isArray(system) ? { system: system.join("\n") } : {}) }];
  },
  assemble: (document, [messages]) => ({ ...(document as Session), messages }),
  createDecoder: () => decodeTogether(decodeSession),
  encode: encodeSession,
};

function isSession(document: unknown): document is Session {
  if (!isRecord(document) || typeof fieldAt(document, "info", "id") !== "string") return false;
  return Array.isArray(document["messages"]) && document["messages"].every(isOpenCodeMessage);
}

function decodeSession(records: readonly object[]): readonly Entry[] {
  const decoder = new SessionDecoder(records);
  return [...records.filter(isConversation).flatMap((record) => decoder.decode(record)), ...decoder.prunedBefore(Infinity)];
}

class SessionDecoder {
  /** The times at which OpenCode cleared results. */
  #cleared: readonly number[];
  readonly #ids = new Map<string, number>();

  constructor(records: readonly object[]) {
    this.#cleared = records.filter(isOpenCodeMessage).flatMap(({ parts }) => parts.filter(isToolPart).flatMap(({ state }) => state.time?.compacted ?? []));
  }

  decode(record: OpenCodeMessage): readonly Entry[] {
    const atMs = record.info.time.created;
    const summarized: CompactionEntry[] = record.parts.some(({ type }) => type === "compaction") ? [{ kind: "compaction", by: "compaction", atMs }] : [];
    return [...this.prunedBefore(atMs), ...summarized, ...stepsOf(record).flatMap((step, number) => this.#decodeStep(step, number === 0))];
  }

  /** Results that were cleared between two messages count as one compaction. */
  prunedBefore(atMs: number): readonly CompactionEntry[] {
    const cleared = this.#cleared.filter((time) => time <= atMs);
    this.#cleared = this.#cleared.filter((time) => time > atMs);
    return cleared.length === 0 ? [] : [{ kind: "compaction", by: "compacted", atMs: Math.max(...cleared) }];
  }

  #decodeStep(step: Step, isFirst: boolean): readonly MessageEntry[] {
    const { info } = step.record;
    const results: ToolResultBlock[] = [];
    const content = step.parts.flatMap((part): readonly Block[] => {
      const text = shownText(part);
      if (text !== undefined) return [decodedFrom([part], part.type === "reasoning" ? ({ type: "thinking", thinking: text } as Block) : textBlock(text))];
      // A file block is the part itself.
      if (!isToolPart(part)) return isShownFile(part) ? [part] : [];
      const id = this.#idOf(part);
      results.push(...resultOf(part, id));
      return [decodedFrom([part], { type: "tool_use", id, name: part.tool, input: part.state.input })];
    });
    const said: MessageEntry = {
      kind: "message",
      message: decodedFrom([step], { role: info.role, content }),
      nativeMessages: isFirst ? 1 : 0,
      ...messageFacts({ atMs: isFirst ? info.time.created : undefined, model: info.role === "assistant" ? info.modelID : undefined, usage: usageOf(step) }),
    };
    if (results.length === 0) return [said];
    return [
      said,
      { kind: "message", message: decodedFrom([step], { role: "user", content: results }), nativeMessages: 0, ...messageFacts({ atMs: endOf(step) }) },
    ];
  }

  /** Published sessions may have the same word for all ids, so each call gets a unique one. */
  #idOf({ callID: id }: ToolPart): string {
    const times = (this.#ids.get(id) ?? 0) + 1;
    this.#ids.set(id, times);
    return times === 1 ? id : `${id}_${times}`;
  }
}

function resultOf(part: ToolPart, id: string): readonly ToolResultBlock[] {
  const { status, output = "", error = "" } = part.state;
  if (status === "error") return [decodedFrom([part], { type: "tool_result", tool_use_id: id, content: error, is_error: true })];
  if (status !== "completed") return [];
  const attachments = itemsOf(part.state.attachments);
  const content = attachments.length === 0 ? output : [textBlock(output), ...attachments];
  return [decodedFrom([part], { type: "tool_result", tool_use_id: id, content })];
}

/** Returns the time at which the last call of the step ended. */
function endOf({ parts }: Step): number | undefined {
  const ends = parts.filter(isToolPart).flatMap(({ state }) => state.time?.end ?? []);
  return ends.length === 0 ? undefined : Math.max(...ends);
}

function usageOf({ record, parts }: Step): Usage | undefined {
  const tokens: unknown = parts.flatMap((part) => (part.type === "step-finish" ? (fieldAt(part, "tokens") ?? []) : [])).at(-1) ?? record.info.tokens;
  const cacheReadTokens = countOf(fieldAt(tokens, "cache", "read"));
  const cacheWriteTokens = countOf(fieldAt(tokens, "cache", "write"));
  return usageUnlessNone({
    inputTokens: countOf(fieldAt(tokens, "input")) + cacheReadTokens + cacheWriteTokens,
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: countOf(fieldAt(tokens, "output")),
  });
}
