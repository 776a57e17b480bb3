import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { ThreadOptions } from "../src/agent/index.ts";
import type { Target } from "../src/index.ts";
import type { PolicyOptions } from "../src/conversation/index.ts";
import { checkProperty } from "./support/check-property.ts";
import { cases } from "./support/run-settings.ts";
import { STEP_KINDS, ThreadRun, type Step } from "./support/threads/thread-run.ts";

/** With and without bound thinking, in every mode. */
const target: fc.Arbitrary<Partial<Target>> = fc.constantFrom<Partial<Target>>(
  {},
  {},
  { bindsThinking: false },
  { dropBlock: true },
  { thinking: "manual", bindsThinking: false },
  { thinking: "manual" },
  { thinking: "off" },
);

const options: fc.Arbitrary<Options> = fc.record(
  {
    compress: fc.record({ maxToolResultTokens: fc.nat({ max: 40 }) }),
    collapse: fc.record({ collapseAfterTurns: fc.nat({ max: 8 }), collapseMultiToolTurns: fc.boolean(), collapseGistChars: fc.constantFrom(0, 12) }),
    prune: fc.record({ strategy: fc.constantFrom("sliding-window", "summarize", "importance"), maxTurns: fc.nat({ max: 16 }) }),
    budget: fc.record({ inputTokenBudget: fc.constantFrom(0, 200), toolResultRetentionChars: fc.nat({ max: 80 }) }),
    strip: fc.constantFrom("all", "after-edit"),
    reminder: fc.constantFrom("Be brief.", " "),
    overview: fc.boolean(),
    tools: fc.constant([{ name: "read" }, { name: "bash" }]),
    compact: fc.constantFrom(true, true, true, false),
    recall: fc.constantFrom(true, true, false),
  },
  { requiredKeys: [] },
);

const policy: fc.Arbitrary<PolicyOptions> = fc
  .record({
    preset: fc.constantFrom("gentle", "balanced", "tight"),
    firstSightTokens: fc.constantFrom(5, 30),
    firstSightFileTokens: fc.constantFrom(5, 30),
    tailTokens: fc.constantFrom(0, 40),
    tailTurns: fc.nat({ max: 2 }),
    minResultTokens: fc.constantFrom(0, 10),
    inputTokens: fc.constantFrom(0, 5),
    minBatchTokens: fc.constantFrom(0, 20),
    horizonPercent: fc.constantFrom(20, 1_000),
    digestTokens: fc.constantFrom(0, 60, 300),
    digestTailTokens: fc.constantFrom(0, 50),
    digestTailTurns: fc.nat({ max: 1 }),
    budget: fc.constantFrom(undefined, 150, 400, 1_000),
  })
  .map(({ budget, ...rest }) => (budget === undefined ? rest : { ...rest, budget }));

type Options = Omit<ThreadOptions, "target">;
const withoutParts = ({ compress: _c, collapse: _l, prune: _p, budget: _b, ...rest }: Options): Options => rest;

/** A policy decides by itself, instead of the parts that can be set one by one. */
const chosenOptions = fc.oneof(
  { weight: 3, arbitrary: options },
  {
    weight: 1,
    arbitrary: fc.tuple(options, policy).map(([given, decided]) => ({ ...withoutParts(given), policy: decided })),
  },
);

const kind = fc.oneof({ weight: 3, arbitrary: fc.constant("turn" as const) }, { weight: 3, arbitrary: fc.constantFrom(...STEP_KINDS) });
const step: fc.Arbitrary<Step> = fc.record({ kind, seed: fc.nat({ max: 1_000_000 }) });
const steps = fc.oneof(
  { weight: 5, arbitrary: fc.array(step, { minLength: 1, maxLength: 16, size: "max" }) },
  { weight: 1, arbitrary: fc.array(step, { minLength: 1, maxLength: 60, size: "max" }) },
);

/** Many turns under a policy that is quick to write digests: chance alone hardly ever makes one. */
const busy = fc.tuple(
  target,
  fc.tuple(options, policy).map(([given, decided]) => ({
    ...withoutParts(given),
    policy: { ...decided, preset: "tight" as const, digestTokens: 60, digestTailTokens: 0, digestTailTurns: 0, minBatchTokens: 0, horizonPercent: 1_000 },
  })),
  fc.array(
    fc.record({ kind: fc.oneof({ weight: 9, arbitrary: fc.constant("turn" as const) }, { weight: 1, arbitrary: kind }), seed: fc.nat({ max: 1_000_000 }) }),
    {
      minLength: 24,
      maxLength: 48,
      size: "max",
    },
  ),
);

const scenario = fc.oneof({ weight: 5, arbitrary: fc.tuple(target, chosenOptions, steps) }, { weight: 1, arbitrary: busy });

describe("a thread", () => {
  it("keeps its promises, whatever the agent and the caller do", () => {
    let digests = 0;
    let ranges = 0;
    checkProperty("thread", [scenario], ([accepts, chosen, list]) => {
      const run = new ThreadRun({ ...chosen, target: accepts });
      run.run(list);
      digests += run.digests;
      ranges += run.placesInRanges;
    });
    assert.ok(digests > cases() / 50, `only ${digests} digests`);
    assert.ok(ranges > cases() / 50, `only ${ranges} ranges of places`);
  });
});
