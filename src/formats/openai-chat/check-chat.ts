import type { Finding } from "../../messages/check-messages.ts";
import type { CheckOptions } from "../codec.ts";
import { parseChatMessage, type ChatMessage } from "./chat-message.ts";
import { isResult } from "./decode-chat.ts";

const MAX_ID_LENGTH = 64;
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const TEXT_ONLY: ReadonlySet<string> = new Set(["text", "refusal"]);

/** Checks section B of the provider rules in one pass. */
export function checkChat(messages: readonly ChatMessage[], options: CheckOptions = {}): Finding[] {
  const findings: Finding[] = [];
  const find = (rule: string, path: string, message: string): void => void findings.push({ rule, path, message });
  if (messages.length === 0 && options.history !== true)
    find("B5", "messages", "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.");
  /** The unanswered calls of the last assistant message, and the position of that message. */
  let open: { readonly ids: Set<string>; readonly at: number } | undefined;
  messages.forEach((value, position) => {
    const path = `messages.${position}`;
    const message = parseChatMessage(value, path);
    if (message.role === "tool") {
      if (open === undefined || message.tool_call_id === undefined || !open.ids.delete(message.tool_call_id))
        find("B2", path, "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.");
    } else if (!isResult(message)) {
      if (open !== undefined) reportOpen(open, find);
      open = undefined;
    }
    checkContent(message, path, find);
    const { tool_calls: calls } = message;
    if (message.role !== "assistant" || calls === null || calls === undefined) return;
    if (calls.length === 0)
      find(
        "B3",
        `${path}.tool_calls`,
        `Invalid 'messages[${position}].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
      );
    else open = { ids: new Set(calls.map((call) => call.id)), at: position };
    calls.forEach((call, number) => {
      if (call.id.length > MAX_ID_LENGTH)
        find(
          "B6",
          `${path}.tool_calls.${number}.id`,
          `Invalid 'messages[${position}].tool_calls[${number}].id': string too long. Expected a string with maximum length ${MAX_ID_LENGTH}, but got a string with length ${call.id.length} instead.`,
        );
      const name = call.function?.name ?? call.custom?.name ?? "";
      if (!NAME.test(name))
        find("B7", `${path}.tool_calls.${number}`, `Invalid 'messages[${position}].tool_calls[${number}].function.name': ${nameFault(name)}`);
    });
  });
  if (open !== undefined && options.history !== true) reportOpen(open, find);
  return findings;
}

type Find = (rule: string, path: string, message: string) => void;

/** Reports B1 at the path of the calls. */
function reportOpen({ ids, at }: { readonly ids: ReadonlySet<string>; readonly at: number }, find: Find): void {
  if (ids.size === 0) return;
  find(
    "B1",
    `messages.${at}`,
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...ids].join(", ")}`,
  );
}

function checkContent(message: ChatMessage, path: string, find: Find): void {
  const { role, content } = message;
  if (content === null || content === undefined) {
    const calls = (message.tool_calls?.length ?? 0) > 0 || (message.function_call !== null && message.function_call !== undefined);
    if (role !== "assistant" || !(calls || "audio" in message || "refusal" in message))
      find("B4", `${path}.content`, "Invalid value for 'content': expected a string, got null.");
    return;
  }
  if (typeof content === "string" || role === "user") return;
  content.forEach((part, number) => {
    const allowed = role === "assistant" ? TEXT_ONLY.has(part.type) : part.type === "text";
    if (!allowed)
      find("B9", `${path}.content.${number}`, `Invalid value: '${part.type}'. Supported values are: 'text'${role === "assistant" ? " and 'refusal'" : ""}.`);
  });
}

function nameFault(name: string): string {
  if (name === "") return "empty string. Expected a string with minimum length 1, but got an empty string instead.";
  return "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.";
}
