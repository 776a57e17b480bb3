import { codecOf } from "../../../formats/codecs.ts";
import type { Wire, WireMarkers, WireRequest } from "../../front-end/wire.ts";
import type { ToolDefinition } from "../../../conversation/tools/tool-definition.ts";
import { thinkingTarget } from "../anthropic/thinking-target.ts";
import { fieldsOf } from "../json-fields.ts";
import { areTools, namesOf, readMessages, writeBody } from "../wire-body.ts";
import { mergeAiSdkAnswers, readAiSdkAnswer } from "./ai-sdk-answer.ts";
import { AiSdkRelay } from "./ai-sdk-relay.ts";
import { automaticMarkerOf, promptMarkerOf, promptMarkers, takesMarkers, withPromptMarkers } from "./prompt-markers.ts";
import { promptMessage } from "./prompt-parts.ts";

const codec = codecOf("ai-sdk");

const MARKERS: WireMarkers<object> = { of: promptMarkerOf, automaticOf: automaticMarkerOf, place: withPromptMarkers, list: promptMarkers };

/**
 * The wire between the AI SDK and a model: `LanguageModelV4CallOptions`, `LanguageModelV4GenerateResult` and `LanguageModelV4StreamPart` of
 * `@ai-sdk/provider`. Call options name neither the model nor its provider, so the caller has to.
 */
export function aiSdkWire(modelId: string, provider = ""): Wire<object, object, object> {
  return {
    format: "ai-sdk",
    codec,
    readRequest: (body) => readRequest(body, modelId),
    writeRequest: (request, messages, tools) =>
      writeBody(request, "prompt", messages === request.messages ? messages : messages.map(promptMessage), tools.map(toolOf)),
    readAnswer: readAiSdkAnswer,
    mergeAnswers: mergeAiSdkAnswers,
    createRelay: (isHidden) => new AiSdkRelay(isHidden),
    ...(takesMarkers(provider, modelId) ? { markers: MARKERS } : {}),
  };
}

function readRequest(body: object, model: string): WireRequest<object> | undefined {
  const { prompt, tools, toolChoice, responseFormat, providerOptions } = fieldsOf(body);
  const read = readMessages(codec, prompt);
  const head = headOf([tools, toolChoice, responseFormat]);
  if (read === undefined || head === undefined || !areTools(tools)) return undefined;
  // Only Anthropic's option matters: other providers do not sign thinking.
  const target = thinkingTarget(fieldsOf(fieldsOf(providerOptions)["anthropic"])["thinking"]);
  return { ...read, body, model, tools: namesOf(tools), forcesTool: isForced(toolChoice), target, head };
}

/** The model must call one named tool, or any: either way it may not answer with text. */
function isForced(choice: unknown): boolean {
  return ["required", "tool"].includes(String(fieldsOf(choice)["type"]));
}

/** The options of a provider's own tool may be anything. */
function headOf(head: readonly unknown[]): string | undefined {
  try {
    return JSON.stringify(head);
  } catch {
    return undefined;
  }
}

function toolOf({ name, description, input_schema: inputSchema }: ToolDefinition): object {
  return { type: "function", name, description, inputSchema };
}
