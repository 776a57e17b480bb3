import fc from "fast-check";
import type { StreamedAnswer } from "./anthropic-answers.ts";
import { HIDDEN_TOOL, input, name, piecesOf, words } from "./relayed.ts";

type Fields = Record<string, unknown>;

/** An item, and the events that a stream has for it, without numbers. `id` is that of the item. */
interface ItemPlan {
  readonly prefix: string;
  readonly make: (id: string, callId: string) => { readonly item: Fields; readonly events: readonly Fields[] };
}

const size: fc.Arbitrary<number> = fc.integer({ min: 1, max: 9 });

const message: fc.Arbitrary<ItemPlan> = fc.record({ said: words, refuses: fc.boolean(), size }).map(({ said, refuses, size }) => ({
  prefix: "msg",
  make: (id) => {
    const field = refuses ? "refusal" : "text";
    const kind = refuses ? "refusal" : "output_text";
    const part = (value: string): Fields => (refuses ? { type: kind, refusal: value } : { type: kind, text: value, annotations: [] });
    const item = { id, type: "message", role: "assistant", status: "completed", content: [part(said)] };
    const at = { item_id: id, content_index: 0 };
    return {
      item,
      events: [
        { type: "response.output_item.added", item: { ...item, status: "in_progress", content: [] } },
        { type: "response.content_part.added", ...at, part: part("") },
        ...piecesOf(said, size).map((delta) => ({ type: `response.${kind}.delta`, ...at, delta, ...(refuses ? {} : { logprobs: [] }) })),
        { type: `response.${kind}.done`, ...at, [field]: said, ...(refuses ? {} : { logprobs: [] }) },
        { type: "response.content_part.done", ...at, part: part(said) },
        { type: "response.output_item.done", item },
      ],
    };
  },
}));

const reasoning: fc.Arbitrary<ItemPlan> = fc.record({ thought: words, isEncrypted: fc.boolean(), size }).map(({ thought, isEncrypted, size }) => ({
  prefix: "rs",
  make: (id) => {
    const item = { id, type: "reasoning", summary: [{ type: "summary_text", text: thought }], ...(isEncrypted ? { encrypted_content: "gAAA" } : {}) };
    const at = { item_id: id, summary_index: 0 };
    return {
      item,
      events: [
        { type: "response.output_item.added", item: { ...item, summary: [] } },
        { type: "response.reasoning_summary_part.added", ...at, part: { type: "summary_text", text: "" } },
        ...piecesOf(thought, size).map((delta) => ({ type: "response.reasoning_summary_text.delta", ...at, delta })),
        { type: "response.reasoning_summary_text.done", ...at, text: thought },
        { type: "response.reasoning_summary_part.done", ...at, part: { type: "summary_text", text: thought } },
        { type: "response.output_item.done", item },
      ],
    };
  },
}));

const call: fc.Arbitrary<ItemPlan> = fc.record({ name, input, isCustom: fc.boolean(), size }).map(({ name: tool, input: given, isCustom, size }) => ({
  prefix: "fc",
  make: (id, callId) => {
    // Hidden tools are functions.
    const [type, field, event] =
      isCustom && !tool.startsWith(HIDDEN_TOOL)
        ? ["custom_tool_call", "input", "custom_tool_call_input"]
        : ["function_call", "arguments", "function_call_arguments"];
    const text = JSON.stringify(given);
    const item = { id, type, call_id: callId, name: tool, status: "completed", [field]: text };
    return {
      item,
      events: [
        { type: "response.output_item.added", item: { ...item, status: "in_progress", [field]: "" } },
        ...piecesOf(text, size).map((delta) => ({ type: `response.${event}.delta`, item_id: id, delta })),
        { type: `response.${event}.done`, item_id: id, [field]: text, ...(type === "function_call" ? { name: tool } : {}) },
        { type: "response.output_item.done", item },
      ],
    };
  },
}));

const search: fc.Arbitrary<ItemPlan> = words.map((query) => ({
  prefix: "ws",
  make: (id) => {
    const item = { id, type: "web_search_call", status: "completed", action: { type: "search", query } };
    return {
      item,
      events: [
        { type: "response.output_item.added", item: { ...item, status: "in_progress" } },
        { type: "response.web_search_call.in_progress", item_id: id },
        { type: "response.web_search_call.searching", item_id: id },
        { type: "response.web_search_call.completed", item_id: id },
        { type: "response.output_item.done", item },
      ],
    };
  },
}));

interface Plan {
  readonly items: readonly ItemPlan[];
  readonly counts: readonly number[];
  readonly isIncomplete: boolean;
}

const plan: fc.Arbitrary<Plan> = fc.record({
  items: fc.array(fc.oneof(message, reasoning, call, call, search), { maxLength: 5 }),
  counts: fc.array(fc.nat(999), { minLength: 5, maxLength: 5 }),
  isIncomplete: fc.boolean(),
});

/** Several answers in a row, of a server that gives every item an id of its own, or of one that counts them anew in every answer. */
export const answers: fc.Arbitrary<readonly StreamedAnswer[]> = fc
  .tuple(fc.array(plan, { minLength: 1, maxLength: 4 }), fc.boolean())
  .map(([plans, repeatsIds]) => plans.map((one, number) => assemble(one, number, repeatsIds ? "x" : `${number}`)));

function assemble({ items, counts, isIncomplete }: Plan, number: number, ids: string): StreamedAnswer {
  const [read = 0, cached = 0, written = 0, wrote = 0, reasoned = 0] = counts;
  const made = items.map(({ prefix, make }, index) => make(`${prefix}_${ids}_${index}`, `call_${number}_${index}`));
  const tools = [HIDDEN_TOOL, "read"].map((tool) => ({ type: "function", name: tool, parameters: {}, strict: false }));
  const frame = { id: `resp_${number}`, object: "response", created_at: number, model: "gpt", tools, error: null };
  const status = isIncomplete ? "incomplete" : "completed";
  const raw = {
    ...frame,
    status,
    output: made.map(({ item }) => item),
    incomplete_details: isIncomplete ? { reason: "max_output_tokens" } : null,
    usage: {
      input_tokens: read + cached + written,
      input_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
      output_tokens: wrote,
      output_tokens_details: { reasoning_tokens: reasoned },
      total_tokens: read + cached + written + wrote,
    },
  };
  const begun = { ...frame, status: "in_progress", output: [], incomplete_details: null, usage: null };
  const events = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...made.flatMap(({ events: ofItem }, index) => ofItem.map((event) => ({ ...event, output_index: index }))),
    { type: `response.${status}`, response: raw },
  ];
  return { raw, events: events.map((event, position) => ({ ...event, sequence_number: position })) };
}
