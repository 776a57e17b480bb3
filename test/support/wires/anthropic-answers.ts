import fc from "fast-check";
import { input, name, piecesOf, words } from "./relayed.ts";

type Fields = Record<string, unknown>;

/** A block of a message and the deltas in which a stream brings it, as the documentation of the Messages API has them. */
export interface StreamedBlock {
  readonly block: Fields;
  readonly start: Fields;
  readonly deltas: readonly Fields[];
}

const text: fc.Arbitrary<StreamedBlock> = fc.record({ said: words, size: size(), cites: fc.array(words, { maxLength: 2 }) }).map(({ said, size, cites }) => {
  const citations = cites.map((cited) => ({ type: "char_location", cited_text: cited, document_index: 0 }));
  return {
    block: { type: "text", text: said, citations: citations.length === 0 ? null : citations },
    start: { type: "text", text: "", citations: null },
    deltas: [
      ...piecesOf(said, size).map((piece) => ({ type: "text_delta", text: piece })),
      ...citations.map((citation) => ({ type: "citations_delta", citation })),
    ],
  };
});

const thinking: fc.Arbitrary<StreamedBlock> = fc.record({ thought: fc.string(), signature: words, size: size() }).map(({ thought, signature, size }) => ({
  block: { type: "thinking", thinking: thought, signature },
  start: { type: "thinking", thinking: "", signature: "" },
  deltas: [...piecesOf(thought, size).map((piece) => ({ type: "thinking_delta", thinking: piece })), { type: "signature_delta", signature }],
}));

const call: fc.Arbitrary<StreamedBlock> = fc
  .record({ type: fc.constantFrom("tool_use", "tool_use", "server_tool_use"), name, input, size: size() })
  .map((use) => {
    const isClients = use.type === "tool_use";
    const block = { type: use.type, id: "", name: isClients ? use.name : "web_search" };
    const json = Object.keys(use.input).length === 0 ? [""] : piecesOf(JSON.stringify(use.input), use.size);
    return {
      block: { ...block, input: use.input },
      start: { ...block, input: {} },
      deltas: json.map((piece) => ({ type: "input_json_delta", partial_json: piece })),
    };
  });

/** Comes whole in its first event. */
const whole: fc.Arbitrary<StreamedBlock> = fc
  .oneof(
    words.map((data): Fields => ({ type: "redacted_thinking", data })),
    words.map((url): Fields => ({ type: "web_search_tool_result", tool_use_id: "srv_1", content: [{ type: "web_search_result", url }] })),
    words.map((field): Fields => ({ type: "block_of_tomorrow", field })),
  )
  .map((block) => ({ block, start: block, deltas: [] }));

export interface StreamedAnswer {
  readonly raw: Fields;
  readonly events: readonly Fields[];
}

interface Plan {
  readonly blocks: readonly StreamedBlock[];
  readonly counts: readonly number[];
  /** Does the end name the input again, or say null for it, or nothing? */
  readonly inputAtEnd: "counts" | "null" | "none";
  readonly stop: string;
  readonly pings: number;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  blocks: fc.array(fc.oneof(text, thinking, call, call, whole), { maxLength: 6 }),
  counts: fc.array(fc.nat(9999), { minLength: 4, maxLength: 4 }),
  inputAtEnd: fc.constantFrom("counts", "null", "none"),
  stop: fc.constantFrom("end_turn", "max_tokens", "pause_turn"),
  pings: fc.nat(7),
});

/** Several answers in a row. */
export const answers: fc.Arbitrary<readonly StreamedAnswer[]> = fc.array(plan, { minLength: 1, maxLength: 4 }).map((plans) => plans.map(assemble));

function size(): fc.Arbitrary<number> {
  return fc.integer({ min: 1, max: 9 });
}

const ENDS: Readonly<Record<Plan["inputAtEnd"], (counts: Fields) => Fields>> = {
  counts: (counts) => counts,
  null: (counts) => Object.fromEntries(Object.keys(counts).map((count) => [count, null])),
  none: () => ({}),
};

function assemble({ blocks, counts, inputAtEnd, stop, pings }: Plan, number: number): StreamedAnswer {
  const [read = 0, created = 0, cached = 0, wrote = 0] = counts;
  const withIds = blocks.map((block, index) => identified(block, `toolu_${number}_${index}`));
  const calls = withIds.some(({ block }) => block["type"] === "tool_use");
  const ending = { stop_reason: calls ? "tool_use" : stop, stop_sequence: null };
  const inputCounts = { input_tokens: read, cache_creation_input_tokens: created, cache_read_input_tokens: cached };
  const usage = { ...inputCounts, service_tier: "standard" };
  const frame = { id: `msg_${number}`, type: "message", role: "assistant", model: "claude" };
  const events = [
    { type: "message_start", message: { ...frame, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } } },
    ...withIds.flatMap(eventsOf),
    { type: "message_delta", delta: ending, usage: { output_tokens: wrote, ...ENDS[inputAtEnd](inputCounts) } },
    { type: "message_stop" },
  ];
  events.splice(Math.min(pings + 1, events.length - 2), 0, { type: "ping" });
  return { raw: { ...frame, content: withIds.map(({ block }) => block), ...ending, usage: { ...usage, output_tokens: wrote } }, events };
}

function identified({ block, start, deltas }: StreamedBlock, id: string): StreamedBlock {
  return "id" in block ? { block: { ...block, id }, start: { ...start, id }, deltas } : { block, start, deltas };
}

function eventsOf({ start, deltas }: StreamedBlock, index: number): readonly Fields[] {
  return [
    { type: "content_block_start", index, content_block: start },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}
