import type { Json } from "./json-values.ts";
import type { SaidTurn } from "./said-turn.ts";

type ItemStatus = "completed" | "in_progress" | "incomplete";

/** An output item, as it looks at each moment of its stream. */
export type OutputItem = ReasoningOutput | MessageOutput | CallOutput;

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
  readonly status: ItemStatus;
}

export function textPart(text: string): TextPart {
  return { type: "output_text", text, annotations: [], logprobs: [] };
}

/** Reasoning, then text, then calls. What the length cut off is incomplete: the last item, unless that is reasoning, which has no status. */
export function outputOf({ thinking, text, calls, stop }: SaidTurn, isEncrypted: boolean, newId: (prefix: string) => string): readonly OutputItem[] {
  const last = stop === "length" ? "incomplete" : "completed";
  const isCutInThought = stop === "length" && thinking !== "";
  const hasMessage = text !== "" || (calls.length === 0 && !isCutInThought);
  return [
    ...(thinking === "" ? [] : [reasoningOf(isEncrypted, newId)]),
    ...(hasMessage ? [messageOf(newId("msg_"), text, calls.length === 0 ? last : "completed")] : []),
    ...calls.map((call, number): CallOutput => ({
      id: newId("fc_"),
      type: "function_call",
      status: number === calls.length - 1 ? last : "completed",
      arguments: call.arguments,
      call_id: call.id,
      name: call.name,
    })),
  ];
}

function reasoningOf(isEncrypted: boolean, newId: (prefix: string) => string): ReasoningOutput {
  return { id: newId("rs_"), type: "reasoning", summary: [], ...(isEncrypted ? { encrypted_content: newId("gAAAAAB") } : {}) };
}

function messageOf(id: string, text: string, status: ItemStatus): MessageOutput {
  return { id, type: "message", status, content: [textPart(text)], role: "assistant" };
}
