import { codecOf } from "../../../formats/codecs.ts";
import type { Wire } from "../../front-end/wire.ts";
import type { ToolDefinition } from "../../../conversation/tools/tool-definition.ts";
import { isRecord } from "../../../errors/is-record.ts";
import { fieldsOf, objectsIn } from "../json-fields.ts";
import { areTools, readMessages, writeBody } from "../wire-body.ts";
import { refusesUsage, withoutAskedUsage, withUsageAsked } from "./asked-usage.ts";
import { mergeChatAnswers, nameOfCall, readChatAnswer } from "./chat-answer.ts";
import { ChatRelay } from "./chat-relay.ts";
import { sumUsage, type MergeUsage } from "../sum-counts.ts";

const codec = codecOf("openai-chat");

/** Chat Completions: requests, completions and chunks as JSON. */
export const createChatWire = (mergeUsage: MergeUsage): Wire<object, object, object> => ({
  format: "openai-chat",
  codec,
  readRequest: (body) => {
    const { model, messages: given, tools, functions, n: choices, response_format: format, tool_choice: choice } = fieldsOf(body);
    const read = readMessages(codec, given);
    if (read === undefined || typeof model !== "string" || !areTools(tools)) return undefined;
    // Several choices are several conversations, and the older `functions` cannot be combined with tools.
    if ((choices ?? 1) !== 1 || (functions ?? undefined) !== undefined) return undefined;
    const names = objectsIn(tools)
      .map(nameOfCall)
      .filter((name) => name !== "");
    // The schema of the answer is part of the cached prompt, as the tools are.
    return {
      ...read,
      body,
      model,
      tools: names,
      forcesTool: isForced(choice),
      target: { ...codec.target, thinking: "off" },
      head: JSON.stringify([tools, format]),
    };
  },
  writeRequest: (request, messages, tools) => writeBody(request, "messages", withoutOldMarkers(messages, request.messages), tools.map(toolOf)),
  readAnswer: readChatAnswer,
  mergeAnswers: (raws, isHidden) => mergeChatAnswers(raws, isHidden, mergeUsage),
  createRelay: (isHidden) => new ChatRelay(isHidden, mergeUsage),
  usage: { ask: withUsageAsked, isRefused: refusesUsage, hide: withoutAskedUsage },
});

export const chatWire: Wire<object, object, object> = createChatWire(sumUsage);

/** The model must call one named tool, or any: either way it may not answer with text. */
function isForced(choice: unknown): boolean {
  return choice === "required" || (isRecord(choice) && choice["type"] !== "allowed_tools");
}

/** Some clients put Anthropic's cache markers on messages for a gateway, and move them from call to call. Only those of the current request count. */
function withoutOldMarkers(messages: readonly object[], now: readonly object[]): readonly object[] {
  if (!messages.some((message) => "cache_control" in message)) return messages;
  const marked = new Set(now.filter((message) => "cache_control" in message));
  return messages.map((message) => {
    if (!("cache_control" in message) || marked.has(message)) return message;
    const { cache_control: _, ...rest } = message;
    return rest;
  });
}

function toolOf({ name, description, input_schema: parameters }: ToolDefinition): object {
  return { type: "function", function: { name, description, parameters } };
}
