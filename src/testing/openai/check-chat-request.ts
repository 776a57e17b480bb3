import type { ProtocolOptions, Rejection } from "../protocol.ts";
import { checkCallIds, checkCallNames, checkCallShapes, checkCallsAnswered, checkEmptyCalls, checkResultsAsked } from "./check-chat-calls.ts";
import { checkContentGiven, checkContentParts, checkMessageShapes } from "./check-chat-content.ts";
import { checkName, checkToolCount, checkUniqueNames, nestedNames } from "./check-tools.ts";
import { checkAllRecords, firstRejection } from "./first-rejection.ts";
import { recordsOf, type Json } from "./json-values.ts";
import { refuse, refuseEmptyList, refuseMissing, refuseType } from "./openai-error.ts";
import { chatPrompt } from "./prompt-pieces.ts";

type ChatRule = (messages: readonly Json[], body: Json) => Rejection | undefined;

/** Section B in its order, then shapes without a number there. */
const RULES: readonly ChatRule[] = [
  checkCallsAnswered,
  checkResultsAsked,
  checkEmptyCalls,
  checkContentGiven,
  (messages) => (messages.length === 0 ? refuseEmptyList("B5", "messages") : undefined),
  checkCallIds,
  checkCallNames,
  (_, { tools }) => firstRejection(nestedNames(tools), checkName),
  (_, { tools }) => checkToolCount(tools),
  checkContentParts,
  checkMessageShapes,
  checkCallShapes,
  (_, { tools }) => checkUniqueNames(nestedNames(tools)),
];

export function checkChatRequest(body: Json, { tokensOf, windowTokens }: ProtocolOptions): Rejection | undefined {
  const { model, messages } = body;
  if (typeof model !== "string" || model === "") return refuse("model", "you must provide a model parameter");
  if (messages === undefined) return refuseMissing("shape", "messages");
  if (!Array.isArray(messages)) return refuseType("shape", "messages", "an array of objects", messages);
  const asked = recordsOf(messages);
  const broken = checkAllRecords("messages", messages) ?? firstRejection(RULES, (rule) => rule(asked, body));
  if (broken !== undefined) return broken;
  const tokens = chatPrompt(body).pieces.reduce((sum, { value }) => sum + tokensOf(value), 0);
  if (tokens <= windowTokens) return undefined;
  return refuse(
    "window",
    `This model's maximum context length is ${windowTokens} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
    { param: "messages", code: "context_length_exceeded" },
  );
}
