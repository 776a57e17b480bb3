import { piecesOfText } from "../pieces-of-text.ts";
import type { ServerSentEvent } from "../protocol.ts";
import { isRecord, recordsIn, textOf, type Json } from "./api-request.ts";

/** Returns the events of a streamed message. */
export function streamEvents(message: Json): readonly ServerSentEvent[] {
  const usage = isRecord(message["usage"]) ? message["usage"] : {};
  const opening = { ...message, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } };
  return [
    event({ type: "message_start", message: opening }),
    event({ type: "ping" }),
    ...recordsIn(message["content"]).flatMap(blockEvents),
    event({ type: "message_delta", delta: { stop_reason: message["stop_reason"], stop_sequence: null }, usage: withoutCreation(usage) }),
    event({ type: "message_stop" }),
  ];
}

function blockEvents(block: Json, index: number): readonly ServerSentEvent[] {
  const { start, deltas } = inPieces(block);
  return [
    event({ type: "content_block_start", index, content_block: start }),
    ...deltas.map((delta) => event({ type: "content_block_delta", index, delta })),
    event({ type: "content_block_stop", index }),
  ];
}

function inPieces(block: Json): { readonly start: Json; readonly deltas: readonly Json[] } {
  switch (block["type"]) {
    case "text":
      return { start: { ...block, text: "" }, deltas: piecesOfText(textOf(block["text"])).map((text) => ({ type: "text_delta", text })) };
    case "thinking": {
      const pieces = piecesOfText(textOf(block["thinking"])).map((thinking) => ({ type: "thinking_delta", thinking }));
      return { start: { ...block, thinking: "", signature: "" }, deltas: [...pieces, { type: "signature_delta", signature: block["signature"] }] };
    }
    case "tool_use": {
      const pieces = ["", ...piecesOfText(JSON.stringify(block["input"]))];
      return { start: { ...block, input: {} }, deltas: pieces.map((partial) => ({ type: "input_json_delta", partial_json: partial })) };
    }
    default:
      return { start: block, deltas: [] };
  }
}

/** The breakdown of cache writes is sent only at the start. */
function withoutCreation(usage: Json): Json {
  const { cache_creation: _, ...rest } = usage;
  return rest;
}

function event(data: Json): ServerSentEvent {
  return { event: textOf(data["type"]), data: JSON.stringify(data) };
}
