import fc from "fast-check";
import type { StreamedAnswer } from "./anthropic-answers.ts";
import { input, name, piecesOf, words } from "./relayed.ts";

type Fields = Record<string, unknown>;

interface CallPlan {
  readonly name: string;
  readonly input: Fields;
  readonly isCustom: boolean;
}

interface Plan {
  readonly said: string;
  readonly thought: string;
  readonly calls: readonly CallPlan[];
  readonly size: number;
  readonly counts: readonly number[];
  readonly isUsageAsked: boolean;
  /** As servers of this format do that have an answer whole before they stream it: all calls in one piece, and the end with them. */
  readonly isHasty: boolean;
  readonly stop: string;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  said: fc.oneof(fc.constant(""), words),
  thought: fc.oneof(fc.constant(""), fc.constant(""), words),
  calls: fc.array(fc.record({ name, input, isCustom: fc.boolean() }), { maxLength: 3 }),
  size: fc.integer({ min: 1, max: 9 }),
  counts: fc.array(fc.nat(999), { minLength: 5, maxLength: 5 }),
  isUsageAsked: fc.boolean(),
  isHasty: fc.boolean(),
  stop: fc.constantFrom("stop", "length"),
});

/** Several answers in a row. */
export const answers: fc.Arbitrary<readonly StreamedAnswer[]> = fc
  .array(plan, { minLength: 1, maxLength: 4 })
  .map((plans) => plans.map((one, number) => assemble({ ...one, isUsageAsked: plans[0]?.isUsageAsked ?? false }, number)));

function assemble({ said, thought, calls, size, counts, isUsageAsked, isHasty, stop }: Plan, number: number): StreamedAnswer {
  const frame = { id: `chatcmpl-${number}`, created: 1000 + number, model: "gpt", system_fingerprint: "fp" };
  const content = said === "" && calls.length > 0 ? null : said;
  const callObjects = calls.map((call, index) => callOf(call, `call_${number}_${index}`));
  const message = {
    role: "assistant",
    content,
    refusal: null,
    ...(thought === "" ? {} : { reasoning_content: thought }),
    ...(calls.length === 0 ? {} : { tool_calls: callObjects }),
  };
  const finish = calls.length > 0 ? "tool_calls" : stop;
  const [read = 0, cached = 0, written = 0, wrote = 0, reasoned = 0] = counts;
  const usage = {
    prompt_tokens: read + cached + written,
    completion_tokens: wrote,
    total_tokens: read + cached + written + wrote,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    completion_tokens_details: { reasoning_tokens: reasoned },
  };
  const deltas: readonly Fields[] = [
    { role: "assistant", content: content === null ? null : "", refusal: null },
    ...piecesOf(thought, size).map((piece) => ({ reasoning_content: piece })),
    ...piecesOf(said, size).map((piece) => ({ content: piece })),
    ...(isHasty
      ? [calls.length === 0 ? {} : { tool_calls: callObjects.map((call, index) => ({ index, ...call })) }]
      : callObjects.flatMap((call, index) => callDeltas(call, index, size))),
    ...(isHasty ? [] : [{}]),
  ];
  const chunk = (choices: readonly Fields[], more: Fields = isUsageAsked ? { usage: null } : {}): Fields => ({
    ...frame,
    object: "chat.completion.chunk",
    choices,
    ...more,
  });
  return {
    raw: { ...frame, object: "chat.completion", choices: [{ index: 0, message, finish_reason: finish }], ...(isUsageAsked ? { usage } : {}) },
    events: [
      ...deltas.map((delta, position) => chunk([{ index: 0, delta, finish_reason: position === deltas.length - 1 ? finish : null }])),
      ...(isUsageAsked ? [chunk([], { usage })] : []),
    ],
  };
}

function callOf(call: CallPlan, id: string): Fields {
  // Hidden tools are functions.
  if (call.isCustom && call.name === "bash") return { id, type: "custom", custom: { name: call.name, input: JSON.stringify(call.input) } };
  return { id, type: "function", function: { name: call.name, arguments: JSON.stringify(call.input) } };
}

function callDeltas(call: Fields, index: number, size: number): readonly Fields[] {
  const kind = call["type"] === "custom" ? "custom" : "function";
  const field = kind === "custom" ? "input" : "arguments";
  const called = call[kind] as Record<string, string>;
  return [
    { tool_calls: [{ index, id: call["id"], type: kind, [kind]: { name: called["name"], [field]: "" } }] },
    ...piecesOf(called[field] ?? "", size).map((piece) => ({ tool_calls: [{ index, [kind]: { [field]: piece } }] })),
  ];
}
