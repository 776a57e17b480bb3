import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { cases, seed } from "../../../test/support/transcripts.ts";
import { createBiller } from "../../pricing/index.ts";
import { createPromptCounter } from "./count-prompts.ts";
import { recordsOf, type Json } from "./json-values.ts";
import { chatPrompt, responsesPrompt, type CachedPrompt } from "./prompt-pieces.ts";

/** One that may be asked for twelve hours. */
const MODEL = "gpt-6.1-sol";

type Kind = "instructions" | "user" | "said" | "call" | "result";

/** A block of a conversation: what the double and the bill count and cache. */
interface Unit {
  readonly kind: Kind;
  readonly text: string;
  /** The number of its message among those of all kinds. */
  readonly message: number;
  readonly marker: Json | undefined;
}

interface Turn {
  readonly calls: number;
  readonly words: number;
}

interface Sent {
  /** How much of the conversation there is by now. */
  readonly turns: number;
  readonly hasInstructions: boolean;
  /** The number of a block from the end. */
  readonly changed: number | undefined;
  readonly markers: readonly { readonly back: number; readonly ttl: string | undefined }[];
  readonly mode: string | undefined;
  readonly ttl: string | undefined;
  readonly effort: string;
  readonly waitMinutes: number;
}

const MOST_TURNS = 110;
const turn: fc.Arbitrary<Turn> = fc.record({ calls: fc.constantFrom(0, 1, 1, 2, 3), words: fc.constantFrom(0, 1, 1, 2) });
/** Turns that are all alike have one end of a message each, so that it is met how many are compared. */
const conversation = fc.oneof(
  fc.array(turn, { minLength: MOST_TURNS, maxLength: MOST_TURNS }),
  fc.constantFrom({ calls: 1, words: 0 }, { calls: 0, words: 3 }).map((each) => Array.from({ length: MOST_TURNS }, () => each)),
);
const ttl = fc.constantFrom(undefined, undefined, undefined, "30m", "12h");
const sent: fc.Arbitrary<Sent> = fc.record({
  turns: fc.constantFrom(0, 1, 2, 3, 4, 5, 5, 6, 6, 7, 8, 40, 45, 82, 83, 84, 85, 86, 87, 110),
  hasInstructions: fc.constantFrom(true, true, true, true, true, false),
  changed: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(1, 2, 3, 4, 6, 9, 20, 60) }),
  markers: fc.array(fc.record({ back: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(40, 300)), ttl }), { maxLength: 12 }),
  mode: fc.constantFrom(undefined, undefined, undefined, "implicit", "explicit"),
  ttl,
  effort: fc.constantFrom(...Array.from({ length: 9 }, () => "low"), "high"),
  waitMinutes: fc.constantFrom(0, 1, 10, 29, 31, 100, 800),
});

/** Two readings of section F that share no code: what a session costs (src/pricing), and what the double reports. */
it("the double's cache of GPT-5.6 and later, and the bills of palimpsest/pricing, agree", () => {
  const seen = { reads: 0, misses: 0, longWrites: 0, explicit: 0 };
  const apis = { chat: chatBody, responses: responsesBody } as const;
  fc.assert(
    fc.property(conversation, fc.array(sent, { minLength: 2, maxLength: 8 }), (turns, requests) => {
      for (const [api, bodyOf] of Object.entries(apis)) {
        const count = createPromptCounter(tokensOf);
        const biller = createBiller(MODEL, { tokensOf: () => 100 });
        let nowMs = 0;
        for (const [number, request] of requests.entries()) {
          nowMs += request.waitMinutes * 60_000;
          const units = unitsOf(turns, request);
          const prompt: CachedPrompt = bodyOf(units, settingsOf(request));
          const counts = count(prompt, nowMs);
          const { uncached, cacheRead, cacheWrite } = biller.bill({ ...billedBody(units, prompt.body), atMs: nowMs });
          const billed = { uncached, cacheRead, cacheWrite30m: cacheWrite["30m"] ?? 0, cacheWrite12h: cacheWrite["12h"] ?? 0 };
          assert.deepEqual(counts, { ...billed, cacheWrite5m: 0, cacheWrite1h: 0 }, `${api}, request ${number}`);
          if (cacheRead > 0) seen.reads++;
          else if (number > 0) seen.misses++;
          if (counts.cacheWrite12h > 0) seen.longWrites++;
          if (request.mode === "explicit") seen.explicit++;
        }
      }
    }),
    { numRuns: cases(), seed: seed(), endOnFailure: true },
  );
  for (const [name, number] of Object.entries(seen)) assert.ok(number > cases() / 2, `${name}: ${number}`);
});

function unitsOf(turns: readonly Turn[], { turns: upTo, hasInstructions, changed, markers }: Sent): readonly Unit[] {
  const units: Unit[] = [];
  let message = 0;
  const add = (kind: Kind, text: string): unknown => units.push({ kind, text, message, marker: undefined });
  if (hasInstructions) ["instructions a", "instructions b"].forEach((text) => add("instructions", text));
  message++;
  add("user", "the task");
  add("user", "more of it");
  turns.slice(0, upTo).forEach(({ calls, words }, number) => {
    message++;
    add("said", `said ${number}`);
    for (let call = 0; call < calls; call++) add("call", `call_${number}_${call}`);
    for (let call = 0; call < calls; call++) {
      message++;
      add("result", `call_${number}_${call}`);
    }
    message++;
    for (let word = 0; word < words; word++) add("user", `words ${number} ${word}`);
  });
  return units.map((same, index) => {
    const unit = units.length - index === changed ? { ...same, text: `other ${same.text}` } : same;
    const marker = markers.find(({ back }) => Math.max(0, units.length - back) === index);
    const mayBeMarked = unit.kind === "instructions" || unit.kind === "user" || unit.kind === "result";
    return marker === undefined || !mayBeMarked ? unit : { ...unit, marker: { mode: "explicit", ...(marker.ttl === undefined ? {} : { ttl: marker.ttl }) } };
  });
}

function settingsOf({ mode, ttl: life, effort }: Sent): { readonly effort: string; readonly options: Json } {
  const options = { ...(mode === undefined ? {} : { mode }), ...(life === undefined ? {} : { ttl: life }) };
  return { effort, options: Object.keys(options).length === 0 ? {} : { prompt_cache_options: options } };
}

const TOOLS = [{ name: "read" }, { name: "search" }];

function markedPart(type: string, { text, marker }: Unit): Json {
  return { type, text, ...(marker === undefined ? {} : { prompt_cache_breakpoint: marker }) };
}

/** Neighbouring units of one message and kind. */
function groupsOf(units: readonly Unit[]): readonly (readonly [Unit, ...Unit[]])[] {
  const groups: [Unit, ...Unit[]][] = [];
  for (const unit of units) {
    const last = groups.at(-1);
    if (last?.[0].message === unit.message && last[0].kind === unit.kind && unit.kind !== "call") last.push(unit);
    else groups.push([unit]);
  }
  return groups;
}

function chatBody(units: readonly Unit[], { effort, options }: ReturnType<typeof settingsOf>): CachedPrompt {
  const messages: Json[] = [];
  for (const group of groupsOf(units)) {
    const [first] = group;
    const parts = group.map((unit) => markedPart("text", unit));
    if (first.kind === "call") {
      const said = messages.pop() ?? {};
      messages.push({ ...said, tool_calls: [...recordsOf(said["tool_calls"]), { id: first.text, function: { name: "read", arguments: "{}" } }] });
    } else if (first.kind === "result") messages.push({ role: "tool", tool_call_id: first.text, content: parts });
    else messages.push({ role: { instructions: "system", user: "user", said: "assistant" }[first.kind], content: parts });
  }
  return chatPrompt({ model: MODEL, reasoning_effort: effort, ...options, tools: TOOLS.map((tool) => ({ type: "function", function: tool })), messages });
}

function responsesBody(units: readonly Unit[], { effort, options }: ReturnType<typeof settingsOf>): CachedPrompt {
  const input = groupsOf(units).map((group): Json => {
    const [first] = group;
    const parts = group.map((unit) => markedPart("input_text", unit));
    if (first.kind === "call") return { type: "function_call", call_id: first.text, name: "read", arguments: "{}" };
    if (first.kind === "result") return { type: "function_call_output", call_id: first.text, output: parts };
    return { type: "message", role: { instructions: "developer", user: "user", said: "assistant" }[first.kind], content: parts };
  });
  return responsesPrompt({ model: MODEL, reasoning: { effort }, ...options, tools: TOOLS, input }, input);
}

/** 100 tokens for each unit and tool. */
function tokensOf(piece: unknown): number {
  const { content, tool_calls: calls, role } = piece as Json;
  if (!Array.isArray(content) || role === "tool") return 100;
  return 100 * (content.length + recordsOf(calls).length);
}

function billedBody(units: readonly Unit[], { messages: _, input: __, tools: ___, ...settings }: Json): Parameters<ReturnType<typeof createBiller>["bill"]>[0] {
  const blocks = (kinds: readonly Kind[]): readonly (readonly Unit[])[] => groupsOf(units).filter(([{ kind }]) => kinds.includes(kind));
  const messages = blocks(["user", "said", "call", "result"]).map((group) => {
    const [first] = group;
    const role = first?.kind === "said" || first?.kind === "call" ? "assistant" : "user";
    return { role, content: group.map(blockOf) };
  });
  const system = blocks(["instructions"]).flat().map(blockOf);
  return { ...settings, tools: TOOLS, ...(system.length === 0 ? {} : { system }), messages } as unknown as ReturnType<typeof billedBody>;
}

function blockOf(unit: Unit): Json {
  if (unit.kind === "call") return { type: "tool_use", id: unit.text, name: "read", input: {} };
  if (unit.kind === "result") return { type: "tool_result", tool_use_id: unit.text, content: [markedPart("text", unit)] };
  return markedPart("text", unit);
}
