import type { MockLanguageModelV4 } from "ai/test";
import fc from "fast-check";
import { input, name, piecesOf, words } from "./relayed.ts";

/** `LanguageModelV4GenerateResult`, `LanguageModelV4Content` and `LanguageModelV4StreamPart`, which `ai` does not export by name. */
export type GenerateResult = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;
type Content = GenerateResult["content"][number];
export type StreamPart = Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;

/** A piece of an answer, and the parts in which a stream brings it. `id` is that of the piece. */
interface Piece {
  readonly content: readonly Content[];
  readonly parts: readonly StreamPart[];
}

type PiecePlan = (id: string, callId: string) => Piece;

const size: fc.Arbitrary<number> = fc.integer({ min: 1, max: 9 });

const text: fc.Arbitrary<PiecePlan> = fc.record({ said: words, isStored: fc.boolean(), size }).map(({ said, isStored, size }) => (id, callId) => {
  const metadata = isStored ? { providerMetadata: { openai: { itemId: callId } } } : {};
  return {
    content: [{ type: "text", text: said, ...metadata }],
    parts: [
      { type: "text-start", id, ...metadata },
      ...piecesOf(said, size).map((delta) => ({ type: "text-delta" as const, id, delta })),
      { type: "text-end", id },
    ],
  };
});

const reasoning: fc.Arbitrary<PiecePlan> = fc.record({ thought: fc.string(), signature: words, size }).map(({ thought, signature, size }) => (id) => {
  const metadata = { providerMetadata: { anthropic: { signature } } };
  return {
    content: [{ type: "reasoning", text: thought, ...metadata }],
    parts: [
      { type: "reasoning-start", id },
      ...piecesOf(thought, size).map((delta) => ({ type: "reasoning-delta" as const, id, delta })),
      { type: "reasoning-delta", id, delta: "", ...metadata },
      { type: "reasoning-end", id },
    ],
  };
});

const call: fc.Arbitrary<PiecePlan> = fc.record({ name, input, size }).map(({ name: toolName, input: given, size }) => (_, toolCallId) => {
  const json = JSON.stringify(given);
  const whole = { type: "tool-call" as const, toolCallId, toolName, input: json };
  return {
    content: [whole],
    parts: [
      { type: "tool-input-start", id: toolCallId, toolName },
      ...piecesOf(json, size).map((delta) => ({ type: "tool-input-delta" as const, id: toolCallId, delta })),
      { type: "tool-input-end", id: toolCallId },
      whole,
    ],
  };
});

const search: fc.Arbitrary<PiecePlan> = fc
  .record({ query: words, result: fc.oneof(words, input), isError: fc.boolean() })
  .map(({ query, result, isError }) => (_, toolCallId) => {
    const called = { toolCallId, toolName: "web_search" };
    const content: Content[] = [
      { type: "tool-call", ...called, input: JSON.stringify({ query }), providerExecuted: true },
      { type: "tool-result", ...called, result: result as string, ...(isError ? { isError } : {}) },
      { type: "source", sourceType: "url", id: toolCallId, url: "https://example.com" },
    ];
    return { content, parts: content as StreamPart[] };
  });

interface Plan {
  readonly pieces: readonly PiecePlan[];
  readonly counts: readonly number[];
  readonly stop: "stop" | "length";
}

const plan: fc.Arbitrary<Plan> = fc.record({
  pieces: fc.array(fc.oneof(text, reasoning, call, call, search), { maxLength: 5 }),
  counts: fc.array(fc.nat(999), { minLength: 5, maxLength: 5 }),
  stop: fc.constantFrom("stop", "length"),
});

export interface AiSdkAnswer {
  readonly raw: object;
  readonly events: readonly StreamPart[];
}

/** Several answers in a row; as with Anthropic's provider, ids of text are counted anew in every answer. */
export const answers: fc.Arbitrary<readonly AiSdkAnswer[]> = fc.array(plan, { minLength: 1, maxLength: 4 }).map((plans) => plans.map(assemble));

function assemble({ pieces, counts, stop }: Plan, number: number): AiSdkAnswer {
  const [noCache = 0, cacheRead = 0, cacheWrite = 0, said = 0, thought = 0] = counts;
  const made = pieces.map((make, index) => make(`${index}`, `call_${number}_${index}`));
  const content = made.flatMap((piece) => piece.content);
  const calls = content.some((part) => part.type === "tool-call" && part.providerExecuted !== true);
  const ending = {
    finishReason: calls ? { unified: "tool-calls" as const, raw: "tool_use" } : { unified: stop, raw: stop },
    usage: {
      inputTokens: { total: noCache + cacheRead + cacheWrite, noCache, cacheRead, cacheWrite },
      outputTokens: { total: said + thought, text: said, reasoning: thought },
    },
  };
  return {
    raw: { content, ...ending, warnings: [] },
    events: [
      { type: "stream-start", warnings: [] },
      { type: "response-metadata", id: `msg_${number}`, modelId: "m" },
      ...made.flatMap((piece) => piece.parts),
      { type: "finish", ...ending },
    ],
  };
}
