import type { SeenMessage, SeenRequest } from "../protocol.ts";
import { toolNames } from "./check-tools.ts";
import { contentText, isRecord, parseArguments, recordsOf, stringOf, type Json } from "./json-values.ts";

export function readChatRequest(body: Json, turn: number): SeenRequest {
  const messages = recordsOf(body["messages"]);
  const firstSaid = messages.findIndex((message) => !isInstruction(message));
  const head = firstSaid === -1 ? messages : messages.slice(0, firstSaid);
  return {
    protocol: "openai-chat",
    model: stringOf(body["model"]),
    streamed: body["stream"] === true,
    system: head.map(({ content }) => contentText(content)).join("\n"),
    tools: toolNames(body),
    messages: readMessages(messages.slice(head.length)),
    turn,
    body,
  };
}

function isInstruction({ role }: Json): boolean {
  return role === "system" || role === "developer";
}

/** Neighbouring results become one message, as in Anthropic's format. */
function readMessages(messages: readonly Json[]): SeenMessage[] {
  const seen: SeenMessage[] = [];
  for (const message of messages) {
    const last = seen.at(-1);
    if (message["role"] !== "tool" && message["role"] !== "function") seen.push(readMessage(message));
    else if (last === undefined || last.results.length === 0) seen.push({ role: "user", text: "", calls: [], results: [readResult(message)] });
    else seen[seen.length - 1] = { ...last, results: [...last.results, readResult(message)] };
  }
  return seen;
}

function readResult({ tool_call_id: callId, name, content }: Json): SeenMessage["results"][number] {
  return { callId: stringOf(callId ?? name), text: contentText(content), isError: false };
}

function readMessage(message: Json): SeenMessage {
  const { role, content, tool_calls: calls, function_call: called } = message;
  return {
    role: isInstruction(message) ? "system" : role === "assistant" ? "assistant" : "user",
    text: contentText(content),
    calls: [...recordsOf(calls), ...(isRecord(called) ? [{ id: called["name"], function: called }] : [])].map(readCall),
    results: [],
  };
}

function readCall(call: Json): SeenMessage["calls"][number] {
  const { function: called, custom } = call;
  const { name, arguments: text, input } = isRecord(called) ? called : isRecord(custom) ? custom : {};
  return { id: stringOf(call["id"]), name: stringOf(name), input: text === undefined ? input : parseArguments(text) };
}
