/** A policy whose thread lives in a history, on random transcripts. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { openCompactor, openHistory, openStore, type StoredCall } from "../src/history/index.ts";
import type { CompactionConfig } from "../src/agent/index.ts";
import { isOfPolicy } from "../src/history/is-of-policy.ts";
import type { Message } from "../src/index.ts";
import { createCompactor, type PolicyOptions } from "../src/conversation/index.ts";
import { LIVING_STEPS, LivingRun, type LivingStep } from "./support/history/living-run.ts";
import { checkAsyncProperty, sameBytes, validTranscript } from "./support/transcripts.ts";

const options: fc.Arbitrary<PolicyOptions> = fc.record({
  preset: fc.constantFrom("gentle", "balanced", "tight"),
  firstSightTokens: fc.constantFrom(0, 5, 100),
  firstSightFileTokens: fc.constantFrom(0, 5, 100),
  tailTokens: fc.constantFrom(0, 20),
  tailTurns: fc.nat({ max: 2 }),
  minResultTokens: fc.constantFrom(0, 5),
  stubTokens: fc.constantFrom(0, 1_000),
  inputTokens: fc.constantFrom(0, 5),
  minBatchTokens: fc.constantFrom(0, 10),
  horizonPercent: fc.constantFrom(20, 1_000),
  highTokens: fc.constantFrom(0, 60, 400),
  lowTokens: fc.constant(0),
});

/** Before each response of the model, and at the end. */
function lengthsOf(log: readonly Message[]): number[] {
  const lengths = log.flatMap(({ role }, position) => (position > 0 && role === "assistant" && log[position - 1]?.role !== "assistant" ? [position] : []));
  return log.at(-1)?.role === "assistant" ? lengths : [...lengths, log.length];
}

/** Pauses that a cache does not survive, and another head. */
const callAt = (number: number): StoredCall & { atMs: number } => ({
  atMs: number * 1_000 + Math.floor(number / 5) * 7_200_000,
  headHash: number % 7 === 6 ? "b" : "a",
});

describe("a compactor in a store", () => {
  it("sends what one without a store sends, and goes on the same after a restart at any call", async () => {
    await checkAsyncProperty("same bytes", [validTranscript(), options, fc.nat({ max: 3 }), fc.nat({ max: 30 })], async (log, given, first, at) => {
      const store = await openStore("memory");
      const history = await openHistory({ store, thread: "t" });
      const alone = createCompactor({ ...given, thread: "t" });
      let compactor = await openCompactor({ ...given, store, thread: "t" });
      let known = 0;
      for (const [number, length] of lengthsOf(log).slice(first).entries()) {
        if (number === at) compactor = await openCompactor({ ...given, store, thread: "t" });
        await history.append(log.slice(known, length));
        known = length;
        const expected = alone.next(log.slice(0, length), callAt(number));
        const { messages, edits, report } = await compactor.next(callAt(number));
        assert.ok(sameBytes(messages, expected.messages), "the same messages");
        assert.deepEqual(edits, expected.edits);
        assert.ok(edits.every(isOfPolicy), "by which it is known who made them");
        if (length === log.length) assert.deepEqual(report, expected.report);
        if (number < at) assert.deepEqual(compactor.explain(), alone.explain());
        if (number % 3 !== 0) continue;
        const other = number % 2 === 0 ? compactor : await openCompactor({ ...given, store, thread: "t" });
        assert.ok(sameBytes((await other.next(callAt(number))).messages, messages), "the same when it is sent again, by whomever");
        assert.deepEqual([other.explain()?.shownTokens, other.explain()?.removableTokens], [alone.explain()?.shownTokens, alone.explain()?.removableTokens]);
      }
      assert.equal((await history.log({ kinds: ["edit"] })).length, (await history.edits()).length);
    });
  });
});

const compaction: fc.Arbitrary<CompactionConfig> = fc.oneof(
  // Without a limit: what is pinned could be above it.
  fc.record({ policy: options.map((given) => ({ ...given, highTokens: 0 })) }),
  fc.record(
    {
      compress: fc.constant({ maxToolResultTokens: 20 }),
      collapse: fc.constant({ collapseAfterTurns: 4 }),
      prune: fc.constant({ strategy: "sliding-window" as const, maxTurns: 8 }),
      budget: fc.constant({ inputTokenBudget: 200, toolResultRetentionChars: 30 }),
    },
    { requiredKeys: [] },
  ),
);
const step: fc.Arbitrary<LivingStep> = fc.record({ kind: fc.constantFrom(...LIVING_STEPS), seed: fc.nat({ max: 1_000_000 }) });

describe("a thread in a store", () => {
  it("is the same when it is opened again, after whatever happens", async () => {
    await checkAsyncProperty("reopened", [compaction, fc.array(step, { minLength: 1, maxLength: 14, size: "max" })], async (given, steps) => {
      const run = await LivingRun.of(await openStore("memory"), given, "t");
      await run.run(steps);
    });
  });
});
