import type { Rejection } from "../protocol.ts";
import { firstRejection } from "./first-rejection.ts";
import { isRecord, recordsOf, stringOf, type Json } from "./json-values.ts";
import { refuse, refuseMissing, refuseType, refuseValue } from "./openai-error.ts";

type Messages = readonly Json[];

/** B9: the parts that each role may send. */
const PARTS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["system", ["text"]],
  ["assistant", ["text", "refusal"]],
  ["user", ["text", "image_url", "input_audio", "file"]],
  ["function", ["text"]],
  ["tool", ["text"]],
  ["developer", ["text"]],
]);
const ROLES = Array.from(PARTS.keys(), String);

/** B4. */
export function checkContentGiven(messages: Messages): Rejection | undefined {
  return firstRejection(messages, (message, at) => {
    const { content } = message;
    if ((content !== null && content !== undefined) || mayBeSilent(message)) return undefined;
    return refuse("B4", "Invalid value for 'content': expected a string, got null.", { param: `messages.[${at}].content` });
  });
}

function mayBeSilent({ role, tool_calls: calls, function_call: called, audio, refusal }: Json): boolean {
  return role === "assistant" && (recordsOf(calls).length > 0 || isRecord(called) || isRecord(audio) || typeof refusal === "string");
}

/** B9. */
export function checkContentParts(messages: Messages): Rejection | undefined {
  return firstRejection(messages, ({ role, content }, at) => {
    const supported = PARTS.get(role);
    if (supported === undefined) return undefined;
    return firstRejection(recordsOf(content), ({ type }, number) => {
      if (supported.includes(stringOf(type))) return undefined;
      if (type !== "image_url") return refuseValue("B9", `messages[${at}].content[${number}].type`, type, supported);
      return refuse(
        "B9",
        `Invalid 'messages[${at}]'. Image URLs are only allowed for messages with role 'user', but this message with role '${stringOf(role)}' contains an image URL.`,
        { param: `messages[${at}]`, code: "invalid_value" },
      );
    });
  });
}

/** Checks roles, kinds of content, and the call ids of results. */
export function checkMessageShapes(messages: Messages): Rejection | undefined {
  return firstRejection(messages, ({ role, content, tool_call_id: callId }, at) => {
    const path = `messages[${at}]`;
    if (role === undefined) return refuseMissing("shape", `${path}.role`);
    if (!PARTS.has(role)) return refuseValue("shape", `${path}.role`, role, ROLES);
    if (role === "tool" && typeof callId !== "string") return refuseMissing("shape", `${path}.tool_call_id`);
    if (content === null || content === undefined || typeof content === "string") return undefined;
    if (!Array.isArray(content)) return refuseType("shape", `${path}.content`, "one of a string or array of objects", content);
    return firstRejection(recordsOf(content), ({ type, text }, number) =>
      type === "text" && typeof text !== "string" ? refuseMissing("shape", `${path}.content[${number}].text`) : undefined,
    );
  });
}
