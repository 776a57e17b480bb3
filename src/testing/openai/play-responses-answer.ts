import type { InputCounts, PlayedAnswer } from "../protocol.ts";
import type { Json } from "./json-values.ts";
import { totalOf, writtenOf } from "./count-prompts.ts";
import { responseEvents } from "./response-events.ts";
import type { OutputItem } from "./response-output.ts";
import type { SaidTurn } from "./said-turn.ts";

export interface ResponsesAnswer {
  readonly id: string;
  readonly createdMs: number;
  readonly said: SaidTurn;
  readonly output: readonly OutputItem[];
  readonly counts: InputCounts;
}

export function playResponsesAnswer(body: Json, answer: ResponsesAnswer): PlayedAnswer {
  const response = responseOf(body, answer);
  return { json: response, events: responseEvents(response, answer.output), counts: answer.counts };
}

/** The response repeats the settings of the request, with defaults for the others. */
function responseOf(body: Json, { id, createdMs, said, output, counts }: ResponsesAnswer): Json {
  const isCut = said.stop === "length";
  const createdAt = Math.floor(createdMs / 1000);
  return {
    id,
    object: "response",
    created_at: createdAt,
    status: isCut ? "incomplete" : "completed",
    background: false,
    completed_at: isCut ? null : createdAt,
    error: null,
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    instructions: body["instructions"] ?? null,
    max_output_tokens: body["max_output_tokens"] ?? null,
    metadata: body["metadata"] ?? {},
    model: body["model"],
    output,
    parallel_tool_calls: body["parallel_tool_calls"] ?? true,
    previous_response_id: body["previous_response_id"] ?? null,
    prompt_cache_key: body["prompt_cache_key"] ?? null,
    reasoning: body["reasoning"] ?? { effort: null, summary: null },
    service_tier: "default",
    store: body["store"] ?? true,
    temperature: body["temperature"] ?? 1,
    text: body["text"] ?? { format: { type: "text" } },
    tool_choice: body["tool_choice"] ?? "auto",
    tools: body["tools"] ?? [],
    top_p: body["top_p"] ?? 1,
    truncation: body["truncation"] ?? "disabled",
    usage: usageOf(said, counts),
  };
}

/** Only models with paid writes say for how long they are. */
function writesByTtl(counts: InputCounts): Json {
  if (writtenOf(counts) === 0) return {};
  return { cache_write_tokens_details: { ttl_12h_tokens: counts.cacheWrite12h, ttl_30m_tokens: counts.cacheWrite30m } };
}

function usageOf({ outputTokens, reasoningTokens }: SaidTurn, counts: InputCounts): Json {
  const total = totalOf(counts);
  return {
    input_tokens: total,
    input_tokens_details: { cached_tokens: counts.cacheRead, cache_write_tokens: writtenOf(counts), ...writesByTtl(counts) },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: total + outputTokens,
  };
}
