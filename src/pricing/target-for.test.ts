import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_TARGET } from "../messages/target.ts";
import { targetFor } from "./index.ts";

type Row = readonly [bindsThinking: boolean, thinking: "adaptive" | "manual" | "off", prefill: boolean, windowTokens: number];

const ROWS: Readonly<Record<string, Row>> = {
  // A4.8: from Fable 5.1 on
  "claude-fable-5-2": [true, "adaptive", false, 1_000_000],
  "claude-fable-5-1": [true, "adaptive", false, 1_000_000],
  "claude-fable-5": [false, "adaptive", false, 1_000_000],
  "claude-mythos-5-2": [true, "adaptive", false, 1_000_000],
  "claude-opus-5-5": [true, "adaptive", false, 1_000_000],
  "claude-opus-5": [false, "adaptive", false, 1_000_000],
  "claude-sonnet-5-5": [true, "adaptive", false, 1_000_000],
  "claude-haiku-5-5": [true, "adaptive", false, 1_000_000],
  // unknown, newer
  "claude-opus-6": [true, "adaptive", false, 1_000_000],
  "claude-opus-5-1": [true, "adaptive", false, 1_000_000],
  // A1.8, A4.11: from 4.6 on
  "claude-opus-4-6": [false, "adaptive", false, 1_000_000],
  "claude-sonnet-4-6": [false, "adaptive", false, 1_000_000],
  "claude-opus-4-5": [false, "manual", true, 200_000],
  "claude-haiku-4-5": [false, "manual", true, 200_000],
  "claude-3-7-sonnet": [false, "manual", true, 200_000],
  "claude-3-5-sonnet": [false, "off", true, 200_000],
  "claude-mythos-preview": [true, "adaptive", false, 1_000_000],
  // C10, B10
  "gpt-6.1-sol": [false, "adaptive", true, 922_000],
  "gpt-5": [false, "adaptive", true, 272_000],
  "gpt-4o": [false, "off", true, 128_000],
  "gemini-2.5-pro": [false, "adaptive", false, 1_048_576],
  "deepseek-v4-pro": [false, "adaptive", false, 1_000_000],
};

for (const [model, [bindsThinking, thinking, prefill, windowTokens]] of Object.entries(ROWS)) {
  test(model, () => assert.deepEqual(targetFor(model, { onWarning: () => undefined }), { bindsThinking, thinking, dropBlock: false, prefill, windowTokens }));
}

test("of a model that is not known at all, the strictest", () => assert.deepEqual(targetFor("kimi-k2.5", { onWarning: () => undefined }), DEFAULT_TARGET));

test("an override tells", () => assert.equal(targetFor("gpt-5", { models: { "gpt-5": { windowTokens: 9 } } }).windowTokens, 9));
