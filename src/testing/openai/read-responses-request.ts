import type { SeenMessage, SeenRequest } from "../protocol.ts";
import { toolNames } from "./check-tools.ts";
import { contentText, parseArguments, recordsOf, stringOf, type Json } from "./json-values.ts";
import { callLink, outputLink, sideOfItem, typeOfItem } from "./response-items.ts";

export function readResponsesRequest(body: Json, conversation: readonly Json[], turn: number): SeenRequest {
  const firstSaid = conversation.findIndex((item) => sideOfItem(item) !== "developer");
  const head = firstSaid === -1 ? conversation : conversation.slice(0, firstSaid);
  const { instructions } = body;
  const instructed = typeof instructions === "string" ? [instructions] : recordsOf(instructions).map(({ content }) => contentText(content));
  return {
    protocol: "openai-responses",
    model: stringOf(body["model"]),
    streamed: body["stream"] === true,
    system: [...instructed, ...head.map(({ content }) => contentText(content))].join("\n"),
    tools: toolNames(body),
    messages: readItems(conversation.slice(head.length)),
    turn,
    body,
  };
}

/** Neighbouring items of the model become one message, and so do neighbouring outputs. */
function readItems(items: readonly Json[]): SeenMessage[] {
  const seen: SeenMessage[] = [];
  let lastSide = "";
  for (const item of items) {
    const side = sideOfItem(item);
    const message = readItem(item);
    const last = seen.at(-1);
    if (last !== undefined && side === lastSide && (side === "model" || side === "tool")) seen[seen.length - 1] = join(last, message);
    else seen.push(message);
    lastSide = side;
  }
  return seen;
}

function join(first: SeenMessage, second: SeenMessage): SeenMessage {
  return {
    role: first.role,
    text: [first.text, second.text].filter((text) => text !== "").join("\n"),
    calls: [...first.calls, ...second.calls],
    results: [...first.results, ...second.results],
  };
}

function readItem(item: Json): SeenMessage {
  const side = sideOfItem(item);
  const call = callLink(item);
  const output = outputLink(item);
  return {
    role: side === "model" ? "assistant" : side === "developer" ? "system" : "user",
    text: textIn(item),
    calls: call === undefined ? [] : [{ id: call.callId, name: stringOf(item["name"]) || call.kind.replace(/_call$/, ""), input: inputOf(item) }],
    results: output === undefined ? [] : [{ callId: output.callId, text: contentText(item["output"]), isError: item["status"] === "failed" }],
  };
}

function textIn(item: Json): string {
  const { content } = item;
  if (typeOfItem(item) === "message") return contentText(content);
  // The provider would have encrypted this input; the double sent it as plain text, so plain text comes back.
  if (typeOfItem(item) === "agent_message")
    return recordsOf(content)
      .map(({ text, encrypted_content: written }) => stringOf(text ?? written))
      .join("\n");
  return "";
}

/** Each kind of call has its own name for the input. */
function inputOf({ arguments: text, input, action, operation }: Json): unknown {
  return text === undefined ? (input ?? action ?? operation) : parseArguments(text);
}
