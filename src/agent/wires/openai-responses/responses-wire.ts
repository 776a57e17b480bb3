import { codecOf } from "../../../formats/codecs.ts";
import type { Wire } from "../../front-end/wire.ts";
import type { ToolDefinition } from "../../../conversation/tools/tool-definition.ts";
import { isRecord } from "../../../errors/is-record.ts";
import { fieldsOf, objectsIn, type JsonFields } from "../json-fields.ts";
import { areTools, namesOf, readMessages, writeBody } from "../wire-body.ts";
import { mergeResponsesAnswers, readResponsesAnswer } from "./responses-answer.ts";
import { ResponsesRelay } from "./responses-relay.ts";
import { sumUsage, type MergeUsage } from "../sum-counts.ts";

const codec = codecOf("openai-responses");

/** The Responses API: requests, responses and stream events as JSON. */
export const createResponsesWire = (mergeUsage: MergeUsage): Wire<object, object, object> => ({
  format: "openai-responses",
  codec,
  readRequest: (body) => {
    const fields = fieldsOf(body);
    const { model, input, instructions, prompt, tools, text, store, tool_choice: choice, previous_response_id: previous } = fields;
    const read = readMessages(codec, typeof input === "string" ? [{ role: "user", content: input }] : input);
    if (read === undefined || typeof model !== "string" || !areTools(tools) || liesElsewhere(fields)) return undefined;
    const head = JSON.stringify([instructions, prompt, tools, fieldsOf(text)["format"]]);
    return {
      ...read,
      body,
      model,
      tools: [...namesOf(tools), ...namesInInput(input)],
      forcesTool: isForced(choice),
      target: { ...codec.target, thinking: "off" },
      isKept: store !== false,
      ...(typeof previous === "string" ? { goesOnFrom: previous } : {}),
      head,
    };
  },
  writeRequest: (request, messages, tools) => writeBody(request, "input", messages, tools.map(toolOf)),
  goOnFrom: (body, answerId) => (fieldsOf(body)["previous_response_id"] === answerId ? body : { ...body, previous_response_id: answerId }),
  readAnswer: readResponsesAnswer,
  mergeAnswers: (raws, isHidden) => mergeResponsesAnswers(raws, isHidden, mergeUsage),
  createRelay: (isHidden) => new ResponsesRelay(isHidden, mergeUsage),
});

export const responsesWire: Wire<object, object, object> = createResponsesWire(sumUsage);

/** C8: the provider keeps the conversation; or it will keep the answer until the client asks for it. */
function liesElsewhere({ conversation, background }: JsonFields): boolean {
  return (conversation ?? undefined) !== undefined || background === true;
}

/** Codex lists its tools in items at the start of the input, some in namespaces. */
function namesInInput(input: unknown): string[] {
  return objectsIn(input).flatMap((item) => (item["type"] === "additional_tools" ? namesWithin(item["tools"]) : []));
}

function namesWithin(tools: unknown): string[] {
  return objectsIn(tools).flatMap((tool) => (tool["type"] === "namespace" ? namesWithin(tool["tools"]) : namesOf([tool])));
}

/** The model must call one named tool, or any: either way it may not answer with text. */
function isForced(choice: unknown): boolean {
  return choice === "required" || (isRecord(choice) && choice["type"] !== "allowed_tools");
}

function toolOf({ name, description, input_schema: parameters }: ToolDefinition): object {
  return { type: "function", name, description, parameters, strict: false };
}
