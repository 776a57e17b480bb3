import type { Rejection } from "../protocol.ts";
import { checkName } from "./check-tools.ts";
import { firstRejection } from "./first-rejection.ts";
import { isRecord, recordsOf, stringOf, type Json } from "./json-values.ts";
import { refuse, refuseEmptyList, refuseLongText, refuseMissing, refuseType } from "./openai-error.ts";

type Messages = readonly Json[];

const MAX_ID_LENGTH = 64;

/** B1: every call is answered by a `tool` message before any other role speaks. */
export function checkCallsAnswered(messages: Messages): Rejection | undefined {
  return firstRejection(messages, (message, at) => {
    const answers = answersBehind(messages, at);
    const answered = new Set(answers.map((answer) => answer["tool_call_id"]));
    const open = callsOf(message).filter((call) => !answered.has(call["id"]));
    if (open.length === 0) return undefined;
    return refuse(
      "B1",
      `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.map(({ id }) => stringOf(id)).join(", ")}`,
      { param: `messages.[${at + 1 + answers.length}].role` },
    );
  });
}

/** B2: every `tool` message answers a call of the assistant message that it follows, and no call is answered twice. */
export function checkResultsAsked(messages: Messages): Rejection | undefined {
  let open: unknown[] = [];
  return firstRejection(messages, (message, at) => {
    if (message["role"] !== "tool") {
      open = callsOf(message).map(({ id }) => id);
      return undefined;
    }
    const call = open.indexOf(message["tool_call_id"]);
    if (call !== -1) {
      open.splice(call, 1);
      return undefined;
    }
    return refuse("B2", "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.", {
      param: `messages.[${at}].role`,
    });
  });
}

/** B3. */
export function checkEmptyCalls(messages: Messages): Rejection | undefined {
  return firstRejection(messages, ({ role, tool_calls: calls }, at) =>
    role === "assistant" && Array.isArray(calls) && calls.length === 0 ? refuseEmptyList("B3", `messages[${at}].tool_calls`) : undefined,
  );
}

/** B6. */
export function checkCallIds(messages: Messages): Rejection | undefined {
  return checkCalls(messages, ({ id }, path) => {
    const { length } = stringOf(id);
    return length > MAX_ID_LENGTH ? refuseLongText("B6", `${path}.id`, MAX_ID_LENGTH, length) : undefined;
  });
}

/** B7, for the names in calls. */
export function checkCallNames(messages: Messages): Rejection | undefined {
  return checkCalls(messages, (call, path) => {
    const type = typeOf(call);
    const called = call[type];
    return isRecord(called) ? checkName({ name: called["name"], param: `${path}.${type}.name` }) : refuseMissing("B7", `${path}.${type}`);
  });
}

/** Checks the other fields of a call: an id, and arguments as text. */
export function checkCallShapes(messages: Messages): Rejection | undefined {
  return checkCalls(messages, (call, path) => {
    if (typeof call["id"] !== "string") return refuseMissing("shape", `${path}.id`);
    const type = typeOf(call);
    const field = type === "custom" ? "input" : "arguments";
    const called = call[type];
    const text = isRecord(called) ? called[field] : undefined;
    if (typeof text === "string") return undefined;
    const param = `${path}.${type}.${field}`;
    return text === undefined ? refuseMissing("shape", param) : refuseType("shape", param, "a string", text);
  });
}

function checkCalls(messages: Messages, check: (call: Json, path: string) => Rejection | undefined): Rejection | undefined {
  return firstRejection(messages, (message, at) => firstRejection(callsOf(message), (call, number) => check(call, `messages[${at}].tool_calls[${number}]`)));
}

function callsOf({ role, tool_calls: calls }: Json): readonly Json[] {
  return role === "assistant" ? recordsOf(calls) : [];
}

function typeOf({ type }: Json): "custom" | "function" {
  return type === "custom" ? "custom" : "function";
}

function answersBehind(messages: Messages, at: number): Messages {
  let end = at + 1;
  while (messages[end]?.["role"] === "tool") end++;
  return messages.slice(at + 1, end);
}
