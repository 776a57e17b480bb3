import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { InputCounts } from "../protocol.ts";
import { createPromptCounter } from "./count-prompts.ts";
import { recordsOf, type Json } from "./json-values.ts";
import { chatPrompt, responsesPrompt } from "./prompt-pieces.ts";

const MINUTE = 60_000;
const tool = (id: string, tokens: number): Json => ({ role: "tool", tool_call_id: id, content: `${tokens}` });
const user = (tokens: number): Json => ({ role: "user", content: `${tokens}` });
const said = (tokens: number): Json => ({ role: "assistant", content: `${tokens}` });
const part = (tokens: number, ttl?: string): Json => ({
  type: "text",
  text: `${tokens}`,
  prompt_cache_breakpoint: { mode: "explicit", ...(ttl === undefined ? {} : { ttl }) },
});
const bare = (tokens: number): Json => ({ type: "text", text: `${tokens}` });

/** A text is worth the number that it is. */
function tokensOf(piece: unknown): number {
  const { content, output } = (typeof piece === "string" ? { content: piece } : piece) as Json;
  const value = content ?? output;
  return Array.isArray(value) ? recordsOf(value).reduce((sum, { text }) => sum + Number(text), 0) : Number(value);
}

type Count = (messages: readonly Json[], more?: Json, nowMs?: number) => Omit<InputCounts, "cacheWrite5m" | "cacheWrite1h">;

function counting(model = "gpt-6-sol"): Count {
  const count = createPromptCounter(tokensOf);
  return (messages, more = {}, nowMs = 0) => {
    const { cacheWrite5m, cacheWrite1h, ...counts } = count(chatPrompt({ model, messages, ...more }), nowMs);
    assert.deepEqual([cacheWrite5m, cacheWrite1h], [0, 0]);
    return counts;
  };
}

const counts = (uncached: number, cacheRead: number, cacheWrite30m: number, cacheWrite12h = 0): ReturnType<Count> => ({
  uncached,
  cacheRead,
  cacheWrite30m,
  cacheWrite12h,
});

describe("the cache of GPT-5.6 and later", () => {
  it("writes at the newest message of the user or of a tool, and reads to there, not in steps", () => {
    const count = counting();
    const turn = [user(2_000), said(11)];
    assert.deepEqual(count(turn.slice(0, 1)), counts(0, 0, 2_000));
    assert.deepEqual(count([...turn, user(7)]), counts(0, 2_000, 18));
    assert.deepEqual(count([...turn, user(7), said(5)]), counts(5, 2_018, 0));
  });

  it("caches nothing below 1024 tokens", () => {
    const count = counting();
    assert.deepEqual(count([user(1_023)]), counts(1_023, 0, 0));
    assert.deepEqual(count([user(1_023)]), counts(1_023, 0, 0));
    assert.deepEqual(count([user(1_024)]), counts(0, 0, 1_024));
  });

  it("does not fall back to a common beginning that was no breakpoint", () => {
    const count = counting();
    count([user(2_000), said(10), tool("a", 1), tool("b", 1)]);
    assert.deepEqual(count([user(2_000), said(10), tool("a", 1), tool("b", 2)]), counts(0, 0, 2_013));
  });

  it("matches at the newest 80 breakpoints", () => {
    const more = (turns: number): Json[] => Array.from({ length: turns }, (_, number) => [said(1), user(number)]).flat();
    const [near, far] = [counting(), counting()];
    for (const count of [near, far]) count([user(2_000)]);
    assert.equal(near([user(2_000), ...more(79)]).cacheRead, 2_000);
    assert.equal(far([user(2_000), ...more(80)]).cacheRead, 0);
  });

  it("writes the newest three marked places beside its own, and without it the newest four", () => {
    const marked = { role: "user", content: [part(2_000), part(1), part(2), part(3), part(4), bare(5)] };
    const upTo = (places: number): Json[] => [{ role: "user", content: [...marked.content.slice(0, places), bare(9)] }];
    for (const [mode, first] of [
      ["implicit", 3],
      ["explicit", 2],
    ] as const) {
      const options = { prompt_cache_options: { mode } };
      const read = [1, 2, 3, 4, 5].map((places) => {
        const count = counting();
        count([marked], options);
        return count(upTo(places), options).cacheRead > 0;
      });
      assert.deepEqual(read, [1, 2, 3, 4, 5].map((place) => place >= first)); // prettier-ignore
    }
  });

  it("with mode explicit, and nothing marked: caches nothing", () => {
    const count = counting();
    const options = { prompt_cache_options: { mode: "explicit" } };
    assert.deepEqual([count([user(2_000)], options), count([user(2_000)], options)], [counts(2_000, 0, 0), counts(2_000, 0, 0)]);
    assert.deepEqual(count([{ role: "user", content: [part(2_000), bare(5)] }], options), counts(5, 0, 2_000));
  });

  it("a marker is no part of the prompt", () => {
    const count = counting();
    count([{ role: "user", content: [part(2_000)] }]);
    assert.equal(count([{ role: "user", content: [bare(2_000)] }]).cacheRead, 2_000);
  });

  it("forgets after thirty minutes without use, or twelve hours", () => {
    const count = counting();
    const marked = [{ role: "user", content: [part(2_000, "12h")] }, said(1), user(1)];
    assert.deepEqual(count(marked), counts(0, 0, 2, 2_000));
    assert.equal(count(marked, {}, 30 * MINUTE).cacheRead, 2_002);
    assert.equal(count(marked, {}, 60 * MINUTE).cacheRead, 2_002);
    assert.equal(count(marked, {}, 91 * MINUTE).cacheRead, 2_000);
    assert.deepEqual(count(marked, {}, 20 * 60 * MINUTE), counts(0, 0, 2, 2_000));
    assert.deepEqual(counting()([user(2_000)], { prompt_cache_options: { ttl: "12h" } }), counts(0, 0, 0, 2_000));
  });

  it("other models and settings have a cache of their own", () => {
    const changes: Readonly<Record<string, Json>> = {
      model: { model: "gpt-6.1-sol" },
      tools: { tools: [{ type: "function", content: "1" }] },
      effort: { reasoning_effort: "high" },
      verbosity: { text: { verbosity: "low" } },
      "output format": { text: { format: { type: "json_object" } } },
      "parallel calls": { parallel_tool_calls: false },
    };
    for (const [name, change] of Object.entries(changes)) {
      const count = counting();
      count([user(2_000)]);
      assert.equal(count([user(2_000)], change).cacheRead, 0, name);
    }
    const count = counting();
    count([user(2_000)]);
    assert.equal(count([user(2_000)], { reasoning: { summary: "auto" }, prompt_cache_key: "a" }).cacheRead, 2_000);
  });

  it("instructions at the start end a message, those in between do not", () => {
    const count = createPromptCounter(tokensOf);
    const ask = (input: readonly Json[]): InputCounts => count(responsesPrompt({ model: "gpt-5.6-sol", instructions: "2000", tools: [] }, input), 0);
    const told = { type: "message", role: "developer", content: "3" };
    assert.equal(ask([told]).cacheWrite30m, 2_003);
    assert.equal(ask([told, { type: "message", role: "user", content: "1" }]).cacheRead, 2_003);
    assert.equal(ask([told, { type: "message", role: "user", content: "1" }, told]).uncached, 3);
  });
});

it("models up to GPT-5.5, and those of others, have the automatic cache", () => {
  const pays = (model: string): boolean => counting(model)([user(2_000)]).cacheWrite30m > 0;
  const [old, newer] = [
    ["gpt-4o", "gpt-4.1", "gpt-5", "gpt-5-mini", "gpt-5.5", "openai/gpt-5.5", "deepseek-chat", "house-blend", "gpt-oss-120b"],
    ["gpt-5.6-sol", "gpt-5.10", "gpt-6", "gpt-6-sol", "gpt-6.1-terra", "openai/gpt-6-sol", "gpt-6-sol-2026-09-23"],
  ];
  assert.deepEqual([old.filter(pays), newer.filter((model) => !pays(model))], [[], []]);
});
