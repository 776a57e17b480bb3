import { piecesOfText } from "../pieces-of-text.ts";
import type { InputCounts, PlayedAnswer } from "../protocol.ts";
import { isRecord, stringOf, type Json } from "./json-values.ts";
import { totalOf, writtenOf } from "./count-prompts.ts";
import type { SaidCall, SaidTurn } from "./said-turn.ts";

const FINISH_REASONS = { end: "stop", tools: "tool_calls", length: "length" } as const;

export interface ChatAnswer {
  readonly id: string;
  readonly createdMs: number;
  readonly said: SaidTurn;
  readonly counts: InputCounts;
}

export function playChatAnswer(body: Json, answer: ChatAnswer): PlayedAnswer {
  const head = { id: answer.id, created: Math.floor(answer.createdMs / 1000), model: stringOf(body["model"]), service_tier: "default" };
  const chunks = chunksOf(body, answer).map((chunk) => ({ data: JSON.stringify({ ...chunk, ...head }) }));
  return { json: { ...completionOf(answer), ...head }, events: [...chunks, { data: "[DONE]" }], counts: answer.counts };
}

function completionOf({ said, counts }: ChatAnswer): Json {
  const { text, calls, stop } = said;
  const message = {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
    refusal: null,
    annotations: [],
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => ({ id: call.id, ...bodyOf(call, call.arguments) })) }),
  };
  return {
    object: "chat.completion",
    choices: [{ index: 0, message, logprobs: null, finish_reason: FINISH_REASONS[stop] }],
    usage: usageOf(said, counts),
  };
}

/** Returns the chunks: the role, the answer piece by piece, the finish reason, and the usage if requested. */
function chunksOf(body: Json, { said, counts }: ChatAnswer): readonly Json[] {
  const { text, calls, stop } = said;
  const isCounted = isRecord(body["stream_options"]) && body["stream_options"]["include_usage"] === true;
  const chunk = (delta: Json, finishReason: string | null = null): Json => ({
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    ...(isCounted ? { usage: null } : {}),
  });
  return [
    chunk({ role: "assistant", content: text === "" && calls.length > 0 ? null : "", refusal: null }),
    ...piecesOfText(text).map((content) => chunk({ content })),
    ...calls.flatMap((call, index) => [
      chunk({ tool_calls: [{ index, id: call.id, ...bodyOf(call, "") }] }),
      ...piecesOfText(call.arguments).map((piece) =>
        chunk({ tool_calls: [{ index, ...(call.isCustom ? { custom: { input: piece } } : { function: { arguments: piece } }) }] }),
      ),
    ]),
    chunk({}, FINISH_REASONS[stop]),
    ...(isCounted ? [{ object: "chat.completion.chunk", choices: [], usage: usageOf(said, counts) }] : []),
  ];
}

function bodyOf({ name, isCustom }: SaidCall, text: string): Json {
  return isCustom ? { type: "custom", custom: { name, input: text } } : { type: "function", function: { name, arguments: text } };
}

function usageOf({ outputTokens, reasoningTokens }: SaidTurn, counts: InputCounts): Json {
  const total = totalOf(counts);
  return {
    prompt_tokens: total,
    completion_tokens: outputTokens,
    total_tokens: total + outputTokens,
    prompt_tokens_details: { cached_tokens: counts.cacheRead, audio_tokens: 0, ...(writtenOf(counts) === 0 ? {} : { cache_write_tokens: writtenOf(counts) }) },
    completion_tokens_details: { reasoning_tokens: reasoningTokens, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
  };
}
