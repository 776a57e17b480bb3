import { invalid } from "../../errors/palimpsest-error.ts";
import { isRecord } from "../../errors/is-record.ts";

/** A part of the content: text, image_url, input_audio, file, refusal. */
export interface ChatPart {
  readonly type: string;
}

/** A call of a function or of a custom tool. */
export interface ChatCall {
  readonly id: string;
  readonly type?: string;
  readonly function?: { readonly name: string; readonly arguments: string };
  readonly custom?: { readonly name: string; readonly input: string };
}

/** A message of Chat Completions, as far as this package reads it; `ChatCompletionMessageParam` of the SDK is one. */
export interface ChatMessage {
  readonly role: "system" | "developer" | "user" | "assistant" | "tool" | "function";
  readonly content?: string | readonly ChatPart[] | null;
  readonly tool_calls?: readonly ChatCall[] | null;
  /** The older form of a call, without an id. */
  readonly function_call?: { readonly name: string; readonly arguments: string } | null;
  /** The assistant's refusal, given instead of an answer. */
  readonly refusal?: string | null;
  /** Spoken output of the assistant: in a request the id of an earlier answer, in an answer also its transcript. */
  readonly audio?: { readonly id: string; readonly transcript?: string } | null;
  readonly tool_call_id?: string;
  readonly name?: string;
}

const ROLES: ReadonlySet<unknown> = new Set(["system", "developer", "user", "assistant", "tool", "function"]);

/** Throws if the value does not have the shape of a chat message. What a provider would refuse, `checkChat` reports. */
export function parseChatMessage(value: unknown, path: string): ChatMessage {
  if (!isRecord(value)) throw invalid("INVALID_INPUT", path, "a chat message { role, content }", value);
  const { role, content, tool_calls: calls, function_call: called } = value;
  if (!ROLES.has(role)) throw invalid("INVALID_INPUT", `${path}.role`, '"system", "developer", "user", "assistant", "tool" or "function"', role);
  if (Array.isArray(content)) content.forEach((part, number) => parsePart(part, `${path}.content.${number}`));
  else if (content !== null && content !== undefined && typeof content !== "string")
    throw invalid("INVALID_INPUT", `${path}.content`, "a string, parts or null", content);
  if (role === "tool" && typeof value["tool_call_id"] !== "string")
    throw invalid("INVALID_INPUT", `${path}.tool_call_id`, "the id of the call that it answers", value["tool_call_id"]);
  if (role === "function" && typeof value["name"] !== "string") throw invalid("INVALID_INPUT", `${path}.name`, "the name of the function", value["name"]);
  if (Array.isArray(calls)) calls.forEach((call, number) => parseTargetedLog(call, `${path}.tool_calls.${number}`));
  else if (calls !== null && calls !== undefined) throw invalid("INVALID_INPUT", `${path}.tool_calls`, "an array of calls", calls);
  if (called !== null && called !== undefined) parseFunction(called, `${path}.function_call`, "arguments");
  return value as unknown as ChatMessage;
}

function parsePart(part: unknown, path: string): void {
  if (!isRecord(part) || typeof part["type"] !== "string") throw invalid("INVALID_INPUT", path, "a part with a type", part);
  if (part["type"] === "text" && typeof part["text"] !== "string") throw invalid("INVALID_INPUT", `${path}.text`, "a string", part["text"]);
}

function parseTargetedLog(call: unknown, path: string): void {
  if (!isRecord(call)) throw invalid("INVALID_INPUT", path, "a call { id, function }", call);
  if (typeof call["id"] !== "string") throw invalid("INVALID_INPUT", `${path}.id`, "the id of the call", call["id"]);
  if (isRecord(call["custom"])) parseFunction(call["custom"], `${path}.custom`, "input");
  else parseFunction(call["function"], `${path}.function`, "arguments");
}

function parseFunction(called: unknown, path: string, text: "arguments" | "input"): void {
  if (!isRecord(called)) throw invalid("INVALID_INPUT", path, `a function { name, ${text} }`, called);
  if (typeof called["name"] !== "string") throw invalid("INVALID_INPUT", `${path}.name`, "the name of the tool", called["name"]);
  if (typeof called[text] !== "string") throw invalid("INVALID_INPUT", `${path}.${text}`, "a string", called[text]);
}
