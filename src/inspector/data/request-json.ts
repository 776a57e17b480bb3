import type { CallRecord } from "../../agent/calls/call-record.ts";
import type { ToolDefinition } from "../../conversation/tools/tool-definition.ts";
import { shownMessage } from "../../conversation/shown-blocks.ts";
import { parseAndArrange } from "../../edits/render.ts";
import { codecOf } from "../../formats/codecs.ts";
import { blocksOf, isToolResult, isToolUse, type Message } from "../../messages/message.ts";
import { targetFor } from "../../pricing/target-for.ts";
import { editsAt } from "./aligned-rows.ts";
import { maskKeys } from "./mask-keys.ts";
import { ownTools } from "./own-tools.ts";
import type { StoredConversation } from "./shelf.ts";

export interface RequestToWrite {
  readonly record: CallRecord;
  readonly conversation: StoredConversation;
  readonly head: Readonly<Record<string, unknown>> | undefined;
  /** The request that was sent, or the client's. */
  readonly side: "sent" | "client";
}

/** Rebuilds the request of a call as JSON of its API. Keys are masked. */
export function requestJson({ record, conversation, head = {}, side }: RequestToWrite): string {
  const { api } = record;
  const format = api === "other" ? "anthropic" : api;
  const messages = side === "sent" ? sentMessages(record, conversation) : clientMessages(record, conversation);
  const native = codecOf(format).encode(messages);
  const tools = Array.isArray(head["tools"]) ? (head["tools"] as readonly unknown[]) : [];
  const added = side === "sent" ? ownTools(record.head.added).map((tool) => nativeTool(tool, api)) : [];
  const kept = added.length === 0 ? head : { ...head, tools: [...tools, ...added] };
  const body = {
    ...(record.model === undefined ? {} : { model: record.model }),
    ...kept,
    [format === "openai-responses" ? "input" : format === "ai-sdk" ? "prompt" : "messages"]: native,
  };
  return maskKeys(JSON.stringify(body, null, 1));
}

/** Returns a command that sends the same request again, with the reader's own key. */
export function requestCurl(record: CallRecord, json: string): string {
  const isAnthropic = record.api === "anthropic";
  const base = isAnthropic ? "https://api.anthropic.com" : "https://api.openai.com";
  const path =
    record.path?.startsWith("/") === true
      ? record.path
      : isAnthropic
        ? "/v1/messages"
        : record.api === "openai-responses"
          ? "/v1/responses"
          : "/v1/chat/completions";
  const key = isAnthropic ? `-H "x-api-key: $ANTHROPIC_API_KEY" -H 'anthropic-version: 2023-06-01'` : `-H "authorization: Bearer $OPENAI_API_KEY"`;
  // No line of JSON can equal the delimiter of the here-document.
  return `curl ${quoted(base + path)} -H 'content-type: application/json' ${key} --data-binary @- <<'PALIMPSEST_REQUEST'\n${json}\nPALIMPSEST_REQUEST\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function sentMessages(record: CallRecord, { log, edits }: StoredConversation): readonly Message[] {
  const then = log.slice(0, record.upTo);
  const target = record.model === undefined ? {} : targetFor(record.model, { onWarning: () => undefined });
  return parseAndArrange(then, editsAt(edits, record.upTo), { ...target, seenFrom: 0 }).messages.map(shownMessage);
}

function clientMessages(record: CallRecord, { log }: StoredConversation): readonly Message[] {
  const own = new Set(record.head.added);
  const hidden = new Set<string>();
  return log.slice(0, record.upTo).flatMap((message): Message[] => {
    const blocks = blocksOf(message);
    for (const block of blocks) if (message.role === "assistant" && isToolUse(block) && own.has(block.name)) hidden.add(block.id);
    const shown = blocks.filter(
      (block) => block.type !== "checkpoint" && !(isToolUse(block) && own.has(block.name)) && !(isToolResult(block) && hidden.has(block.tool_use_id)),
    );
    if (shown.length === blocks.length) return [message];
    return shown.length === 0 ? [] : [{ ...message, content: shown }];
  });
}

/** Converts a tool to the form of the call's API. */
function nativeTool({ name, description, input_schema: parameters }: ToolDefinition, api: CallRecord["api"]): object {
  switch (api) {
    case "openai-chat":
      return { type: "function", function: { name, description, parameters } };
    case "openai-responses":
      return { type: "function", name, description, parameters, strict: false };
    case "ai-sdk":
      return { type: "function", name, description, inputSchema: parameters };
    case "anthropic":
    case "other":
      return { name, description, input_schema: parameters };
  }
}
