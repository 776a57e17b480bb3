import type { Json } from "./json-values.ts";
import type { SaidCall, SaidTurn } from "./said-turn.ts";

type ItemStatus = "completed" | "in_progress" | "incomplete";

/** An output item, with its state at each moment of the stream. */
export type OutputItem = ReasoningOutput | MessageOutput | CallOutput | CustomCallOutput;

export interface ReasoningOutput extends Json {
  readonly id: string;
  readonly type: "reasoning";
  readonly summary: readonly [];
  readonly encrypted_content?: string;
}

export interface MessageOutput extends Json {
  readonly id: string;
  readonly type: "message";
  readonly role: "assistant";
  readonly status: ItemStatus;
  readonly content: readonly TextPart[];
}

export interface TextPart extends Json {
  readonly type: "output_text";
  readonly text: string;
  readonly annotations: readonly [];
  readonly logprobs: readonly [];
}

export interface CallOutput extends Json {
  readonly id: string;
  readonly type: "function_call";
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
  readonly namespace?: string;
  readonly status: ItemStatus;
}

export interface CustomCallOutput extends Json {
  readonly id: string;
  readonly type: "custom_tool_call";
  readonly call_id: string;
  readonly name: string;
  readonly input: string;
  readonly namespace?: string;
  readonly status: ItemStatus;
}

export function textPart(text: string): TextPart {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

/** Returns reasoning, then text, then calls. If the length limit was hit, the last item is incomplete, unless it is reasoning, which has no status. */
export function outputOf({ thinking, text, calls, stop }: SaidTurn, isEncrypted: boolean, newId: (prefix: string) => string): readonly OutputItem[] {
  const last = stop === "length" ? "incomplete" : "completed";
  const isCutInThought = stop === "length" && thinking !== "";
  const hasMessage = text !== "" || (calls.length === 0 && !isCutInThought);
  return [
    ...(thinking === "" ? [] : [reasoningOf(isEncrypted, newId)]),
    ...(hasMessage ? [messageOf(newId("msg_"), text, calls.length === 0 ? last : "completed")] : []),
    ...calls.map((call, number) => callOf(call, number === calls.length - 1 ? last : "completed", newId)),
  ];
}

function reasoningOf(isEncrypted: boolean, newId: (prefix: string) => string): ReasoningOutput {
  return { id: newId("rs_"), type: "reasoning", summary: [], ...(isEncrypted ? { encrypted_content: newId("gAAAAAB") } : {}) };
}

function callOf(
  { id, name, arguments: text, isCustom, namespace }: SaidCall,
  status: ItemStatus,
  newId: (prefix: string) => string,
): CallOutput | CustomCallOutput {
  const of = { status, call_id: id, name, ...(namespace === undefined ? {} : { namespace }) };
  if (isCustom) return { id: newId("ctc_"), type: "custom_tool_call", ...of, input: text };
  return { id: newId("fc_"), type: "function_call", ...of, arguments: text };
}

function messageOf(id: string, text: string, status: ItemStatus): MessageOutput {
  return { id, type: "message", status, content: [textPart(text)], role: "assistant" };
}
