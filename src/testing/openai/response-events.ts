import { piecesOfText } from "../pieces-of-text.ts";
import type { ServerSentEvent } from "../protocol.ts";
import type { Json } from "./json-values.ts";
import { textPart, type CallOutput, type CustomCallOutput, type MessageOutput, type OutputItem } from "./response-output.ts";

interface StreamEvent extends Json {
  readonly type: string;
}

/** Returns the stream of one response: a created event, its items one by one, and the complete response at the end. */
export function responseEvents(response: Json, output: readonly OutputItem[]): ServerSentEvent[] {
  const begun = { ...response, status: "in_progress", completed_at: null, incomplete_details: null, output: [], usage: null };
  const events: readonly StreamEvent[] = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...output.flatMap((item, index) => itemEvents(item, index)),
    { type: response["status"] === "incomplete" ? "response.incomplete" : "response.completed", response },
  ];
  return events.map(({ type, ...fields }, number) => ({ event: type, data: JSON.stringify({ type, sequence_number: number, ...fields }) }));
}

function itemEvents(item: OutputItem, index: number): readonly StreamEvent[] {
  const added = (begun: OutputItem): StreamEvent => ({ type: "response.output_item.added", output_index: index, item: begun });
  const done: StreamEvent = { type: "response.output_item.done", output_index: index, item };
  switch (item.type) {
    case "reasoning":
      return [added(item), done];
    case "message":
      return [added({ ...item, status: "in_progress", content: [] }), ...textEvents(item, index), done];
    case "function_call":
      return [added({ ...item, status: "in_progress", arguments: "" }), ...argumentEvents(item, index), done];
    case "custom_tool_call":
      return [added({ ...item, status: "in_progress", input: "" }), ...inputEvents(item, index), done];
  }
}

function textEvents({ id, content }: MessageOutput, index: number): readonly StreamEvent[] {
  return content.flatMap((part, number) => {
    const place = { item_id: id, output_index: index, content_index: number };
    return [
      { type: "response.content_part.added", ...place, part: textPart("") },
      ...piecesOfText(part.text).map((delta) => ({ type: "response.output_text.delta", ...place, delta, logprobs: [] })),
      { type: "response.output_text.done", ...place, text: part.text, logprobs: [] },
      { type: "response.content_part.done", ...place, part },
    ];
  });
}

function argumentEvents({ id, arguments: text }: CallOutput, index: number): readonly StreamEvent[] {
  const place = { item_id: id, output_index: index };
  return [
    ...piecesOfText(text).map((delta) => ({ type: "response.function_call_arguments.delta", ...place, delta })),
    { type: "response.function_call_arguments.done", ...place, arguments: text },
  ];
}

function inputEvents({ id, input }: CustomCallOutput, index: number): readonly StreamEvent[] {
  const place = { item_id: id, output_index: index };
  return [
    ...piecesOfText(input).map((delta) => ({ type: "response.custom_tool_call_input.delta", ...place, delta })),
    { type: "response.custom_tool_call_input.done", ...place, input },
  ];
}
