import { codecOf } from "../../../formats/codecs.ts";
import type { Wire } from "../../front-end/wire.ts";
import type { ToolDefinition } from "../../../conversation/tools/tool-definition.ts";
import { fieldsOf } from "../json-fields.ts";
import { areTools, namesOf, readMessages, writeBody } from "../wire-body.ts";
import { mergeAnthropicAnswers, readAnthropicAnswer } from "./anthropic-answer.ts";
import { AnthropicRelay } from "./anthropic-relay.ts";
import { thinkingTarget } from "./thinking-target.ts";
import { sumUsage, type MergeUsage } from "../sum-counts.ts";

const codec = codecOf("anthropic");

/** The Messages API: requests, messages and stream events as JSON. */
export const createAnthropicWire = (mergeUsage: MergeUsage): Wire<object, object, object> => ({
  format: "anthropic",
  codec,
  readRequest: (body) => {
    const { model, messages: given, system, tools, tool_choice: choice, thinking } = fieldsOf(body);
    const read = readMessages(codec, given);
    if (read === undefined || typeof model !== "string" || !areTools(tools)) return undefined;
    return {
      ...read,
      body,
      model,
      tools: namesOf(tools),
      forcesTool: isForced(choice),
      target: thinkingTarget(thinking),
      head: headOf([system, tools, choice]),
    };
  },
  writeRequest: (request, messages, tools) => writeBody(request, "messages", messages, tools.map(toolOf)),
  readAnswer: readAnthropicAnswer,
  mergeAnswers: (raws, isHidden) => mergeAnthropicAnswers(raws, isHidden, mergeUsage),
  createRelay: (isHidden) => new AnthropicRelay(isHidden, mergeUsage),
});

export const anthropicWire: Wire<object, object, object> = createAnthropicWire(sumUsage);

/** The model must call one named tool, or any: either way it may not answer with text. */
function isForced(choice: unknown): boolean {
  return ["any", "tool"].includes(String(fieldsOf(choice)["type"]));
}

/** Without markers, which may move and are not part of the cached prompt. */
function headOf(head: readonly unknown[]): string {
  return JSON.stringify(head, (key, value: unknown) => (key === "cache_control" ? undefined : value));
}

function toolOf({ name, description, input_schema }: ToolDefinition): object {
  return { name, description, input_schema };
}
