import { invalid } from "../../errors/palimpsest-error.ts";
import type { InputCounts, ProtocolOptions, ScriptedCall, Turn } from "../protocol.ts";
import { isRecord, type ApiRequest, type Block, type Json } from "./api-request.ts";
import type { DroppedThought, Thought, ThinkingLedger } from "./thinking-ledger.ts";

const STOP_REASONS = { end: "end_turn", tools: "tool_use", length: "max_tokens", pause: "pause_turn" } as const;

/** Composes thinking first, then text, then calls. */
export function composeContent(request: ApiRequest, turn: Turn, ledger: ThinkingLedger, newId: ProtocolOptions["newId"]): readonly Block[] {
  const calls = (turn.calls ?? []).map(({ name, input, id }): Block & { readonly id: string } => ({
    type: "tool_use",
    id: id ?? newId("toolu_"),
    name,
    input: dictionary(input, name),
  }));
  const ids = calls.map(({ id }) => id);
  const thinking = ledger.sign(request, thoughtsOf(request, turn), ids, newId("sig_"));
  const text = turn.text === undefined || turn.text === "" ? [] : [{ type: "text", text: turn.text }];
  return [...thinking, ...text, ...calls];
}

/** A2.9: only OpenAI has tools whose input is a text. */
function dictionary(input: ScriptedCall["input"], name: string): Exclude<ScriptedCall["input"], string> {
  if (typeof input !== "string") return input;
  throw invalid("INVALID_INPUT", `calls.${name}.input`, "an object: no tool of this provider takes a text", input);
}

/** A script may always supply thinking; it is sent only if the request asks for it. */
function thoughtsOf({ thinking: mode, body }: ApiRequest, { thinking, redactedThinking }: Turn): readonly Thought[] {
  if (mode === "off") return [];
  const isOmitted = isRecord(body["thinking"]) && body["thinking"]["display"] === "omitted";
  return [
    ...(thinking === undefined ? [] : [{ type: "thinking", thinking: isOmitted ? "" : thinking } as const]),
    ...(redactedThinking === undefined ? [] : [{ type: "redacted_thinking", thinking: redactedThinking } as const]),
  ];
}

export interface Composed {
  readonly id: string;
  readonly request: ApiRequest;
  readonly content: readonly Block[];
  readonly turn: Turn;
  readonly counts: InputCounts;
  readonly outputTokens: number;
  readonly dropped: readonly DroppedThought[];
}

export function composeMessage({ id, request, content, turn, counts, outputTokens, dropped }: Composed): Json {
  const stop = turn.stop ?? (content.some(({ type }) => type === "tool_use") ? "tools" : "end");
  return {
    id,
    type: "message",
    role: "assistant",
    model: request.model,
    content,
    stop_reason: STOP_REASONS[stop],
    stop_sequence: null,
    usage: {
      input_tokens: counts.uncached,
      cache_creation_input_tokens: counts.cacheWrite5m + counts.cacheWrite1h,
      cache_read_input_tokens: counts.cacheRead,
      cache_creation: { ephemeral_5m_input_tokens: counts.cacheWrite5m, ephemeral_1h_input_tokens: counts.cacheWrite1h },
      output_tokens: outputTokens,
    },
    ...(reportsDropped(request) ? { input_transformations: dropped.map((thought) => ({ type: "thinking_dropped", ...thought })) } : {}),
  };
}

/** Dropped thinking is reported only to requests that may set `block_binding` (A4.9). */
function reportsDropped({ body }: ApiRequest): boolean {
  return isRecord(body["thinking"]) && isRecord(body["thinking"]["block_binding"]);
}
