import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { Message } from "../messages/message.ts";
import { checkProperty } from "../../test/support/transcripts.ts";
import { appendOnlyBill } from "./append-only-bill.ts";
import type { RequestBill } from "./billing/bill.ts";
import { costOf } from "./cost-of.ts";
import { modelInfo } from "./model-info.ts";

const MODELS = ["claude-opus-4-6", "claude-haiku-4-5", "claude-fable-5-2", "claude-haiku-5-5", "gpt-5.5", "gpt-6.1-sol", "gpt-4o", "gemini-2.5-pro"];

/** Tokens that each request adds, what it answers, and how long the agent took before it: below 0 the clock was set back. */
const growth = fc.array(fc.record({ added: fc.integer({ min: 1, max: 60_000 }), out: fc.nat({ max: 900 }), waitMs: fc.constantFrom(-2_000_000, 1_000, 120_000, 900_000, 4_000_000) }), {
  minLength: 1,
  maxLength: 12,
}); // prettier-ignore

describe("appendOnlyBill", () => {
  for (const model of MODELS) {
    it(`is what costOf says of the requests themselves: ${model}`, () => {
      checkProperty(`append-only ${model}`, [growth], (steps) => {
        const sizes = new Map<string, number>();
        const messages: Message[] = [];
        let atMs = Date.UTC(2026, 10, 14);
        let inputTokens = 0;
        const requests = [];
        const sent = [];
        for (const [number, { added, out, waitMs }] of steps.entries()) {
          const text = `message ${number}`;
          sizes.set(text, added);
          messages.push({ role: "user", content: [{ type: "text", text }] });
          atMs += waitMs;
          inputTokens += added;
          requests.push({ inputTokens, outputTokens: out, atMs });
          sent.push({ messages: [...messages], cache_control: { type: "ephemeral" as const }, atMs, outputTokens: out });
        }
        const expected = costOf(sent, model, { tokensOf: (block) => sizes.get((block as { text: string }).text) ?? 0 }).total;
        const bill = appendOnlyBill(requests, modelInfo(model), true);
        assert.deepEqual(tokensOf(bill), tokensOf(expected));
        assert.ok(Math.abs(bill.dollars - expected.dollars) < 1e-9);
      });
    });
  }

  it("reads nothing from a cache that is not used", () => {
    const bill = appendOnlyBill([{ inputTokens: 10_000, outputTokens: 10 }, { inputTokens: 20_000, outputTokens: 10 }], modelInfo("claude-opus-4-6"), false); // prettier-ignore
    assert.deepEqual([bill.uncached, bill.cacheRead, bill.outputTokens], [30_000, 0, 20]);
  });
});

function tokensOf({ cacheRead, uncached, cacheWrite, inputTokens }: RequestBill): number[] {
  return [cacheRead, uncached, Object.values(cacheWrite).reduce((sum, tokens) => sum + tokens, 0), inputTokens];
}
