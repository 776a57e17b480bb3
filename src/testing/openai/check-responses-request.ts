import type { ProtocolOptions, Rejection } from "../protocol.ts";
import { checkCallsHaveOutputs, checkOutputsHaveCalls } from "./check-item-pairs.ts";
import { checkItemShapes } from "./check-item-shapes.ts";
import { checkItemsFound, checkReasoningFollowed, checkReasoningGiven, checkReasoningShapes } from "./check-reasoning-items.ts";
import { checkName, checkToolCount, checkUniqueNames, flatNames } from "./check-tools.ts";
import { checkAllRecords, firstRejection } from "./first-rejection.ts";
import { isRecord, stringOf, type Json } from "./json-values.ts";
import { refuse, refuseMissing, refuseType } from "./openai-error.ts";
import { responsesPrompt } from "./prompt-pieces.ts";
import { inputItems } from "./response-items.ts";
import { conversationOf, type ResponseMemory } from "./response-memory.ts";

/** Checks section C. Names in the request are looked up first, then the items are checked. */
export function checkResponsesRequest(body: Json, memory: ResponseMemory, options: ProtocolOptions): Rejection | undefined {
  const { model, input, tools } = body;
  if (typeof model !== "string" || model === "") return refuseMissing("model", "model");
  if (input !== undefined && typeof input !== "string" && !Array.isArray(input))
    return refuseType("shape", "input", "one of a string or array of input items", input);
  const items = inputItems(body);
  const conversation = conversationOf(body, items, memory);
  const before = conversation.slice(0, conversation.length - items.length);
  const isStored = body["store"] !== false;
  const rules: readonly (() => Rejection | undefined)[] = [
    () => (Array.isArray(input) ? checkAllRecords("input", input) : undefined),
    () => checkChain(body, memory),
    () => (conversation.length === 0 ? refuseMissing("shape", "input") : undefined),
    () => checkItemsFound(items, isStored, memory),
    () => checkReasoningShapes(items, memory),
    () => checkCallsHaveOutputs(conversation),
    () => checkOutputsHaveCalls(conversation),
    () => checkReasoningFollowed(items, memory),
    // Without a store, C4 is not enforced (agentao#321).
    () => (isStored ? checkReasoningGiven(before, items, memory) : undefined),
    () => checkItemShapes(before, items),
    () => firstRejection(flatNames(tools), checkName),
    () => checkToolCount(tools),
    () => checkUniqueNames(flatNames(tools)),
    () => checkWindow(body, conversation, options),
  ];
  return firstRejection(rules, (rule) => rule());
}

/** Checks C8, and that the previous response or conversation exists. */
function checkChain({ previous_response_id: previous, conversation }: Json, memory: ResponseMemory): Rejection | undefined {
  const conversationId = isRecord(conversation) ? conversation["id"] : conversation;
  const isChained = previous !== undefined && previous !== null;
  if (conversationId !== undefined && conversationId !== null) {
    // The provider's own text for setting both is not documented.
    if (isChained)
      return refuse("C8", "Mutually exclusive parameters: Ensure you are only providing one of: 'previous_response_id' or 'conversation'.", {
        code: "mutually_exclusive_parameters",
      });
    return refuse("conversation", `Conversation with id '${stringOf(conversationId)}' not found.`, { status: 404, param: "conversation" });
  }
  if (!isChained || memory.conversation(stringOf(previous)) !== undefined) return undefined;
  return refuse("previous_response_id", `Previous response with id '${stringOf(previous)}' not found.`, {
    param: "previous_response_id",
    code: "previous_response_not_found",
  });
}

function checkWindow(body: Json, conversation: readonly Json[], { tokensOf, windowTokens }: ProtocolOptions): Rejection | undefined {
  const tokens = responsesPrompt(body, conversation).pieces.reduce((sum, { value }) => sum + tokensOf(value), 0);
  // With `auto` the provider itself drops items from the middle.
  if (tokens <= windowTokens || body["truncation"] === "auto") return undefined;
  return refuse("window", "Your input exceeds the context window of this model. Please adjust your input and try again.", {
    param: "input",
    code: "context_length_exceeded",
  });
}
