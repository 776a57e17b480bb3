/** A wrapped client, whatever it does with its conversations: what is sent, and what it gets back. */
import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import fc from "fast-check";
import { createMemoryStore } from "../src/store/memory-store.ts";
import { BUSY_POLICY } from "./support/agents/busy-agent.ts";
import { result, userBlock } from "./support/blocks.ts";
import { checkAsyncProperty } from "./support/check-property.ts";
import { FrontEndRun, STEP_KINDS, type Plan, type Reached, type Step } from "./support/front-ends/front-end-run.ts";
import type { ClientHabits } from "./support/front-ends/random-client.ts";

const kind = fc.oneof({ weight: 2, arbitrary: fc.constant("go" as const) }, { weight: 1, arbitrary: fc.constantFrom(...STEP_KINDS) });
const step: fc.Arbitrary<Step> = fc.record({ kind, seed: fc.nat({ max: 1_000_000 }) });
const steps = fc.array(step, { minLength: 2, maxLength: 18, size: "max" });

const options: fc.Arbitrary<Plan["options"]> = fc.record(
  {
    policy: fc.oneof(
      { weight: 3, arbitrary: fc.constant(BUSY_POLICY) },
      { weight: 1, arbitrary: fc.constantFrom("gentle" as const, "balanced" as const, "tight" as const) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(150, 600).map((budget) => ({ ...BUSY_POLICY, budget, digestTokens: 60, digestTailTokens: 0, digestTailTurns: 0 })),
      },
    ),
    compact: fc.boolean(),
    recall: fc.constantFrom(true, true, false),
    strip: fc.constantFrom("all" as const, "after-edit" as const),
    lossy: fc.boolean(),
    cache: fc.boolean(),
  },
  { requiredKeys: [] },
);

const habits: fc.Arbitrary<ClientHabits> = fc.record({
  drops: fc.constantFrom("nothing", "nothing", "finished", "all"),
  defaults: fc.boolean(),
  strings: fc.boolean(),
  markers: fc.boolean(),
});

const provider: fc.Arbitrary<Plan["provider"]> = fc.record({
  thinking: fc.constantFrom("adaptive", "adaptive", "adaptive", "manual", "off"),
  shortIds: fc.boolean(),
  clientTools: fc.constantFrom(["read"], ["read"], ["read"], ["read", "recall"]),
});

const stock = fc.record({
  words: fc.array(
    fc.array(
      userBlock.filter(({ type }) => type !== "system_reminder"),
      { minLength: 1, maxLength: 3 },
    ),
    { maxLength: 3 },
  ),
  results: fc.array(result, { maxLength: 3 }),
});

/** Thinking that is manual stands at the start of every turn, so nobody may leave it out. */
const plan: fc.Arbitrary<Plan> = fc
  .record({ options, provider, habits, stock, steps })
  .map((each) => (each.provider.thinking === "manual" ? { ...each, habits: { ...each.habits, drops: "nothing" } } : each));

const reached: Record<Reached, number> = { edits: 0, forks: 0, restarts: 0, hidden: 0, carried: 0, own: 0, handles: 0 };

async function played(given: Plan, restarts: boolean): Promise<FrontEndRun> {
  const run = new FrontEndRun(given, restarts ? createMemoryStore() : undefined);
  await run.run();
  for (const key of Object.keys(reached) as Reached[]) reached[key] += run.counts[key];
  return run;
}

async function sendsTheSameAfterRestarts(given: Plan): Promise<void> {
  const whole = await played(given, false);
  const parts = await played(given, true);
  for (const [call, bodies] of whole.bodies) {
    for (const [round, body] of bodies.entries()) assert.equal(parts.bodies.get(call)?.[round], body, `call ${call}, round ${round}`);
  }
}

describe("a front end", () => {
  it("sends what the provider accepts, and leaves the client's own as it is; after a restart, the same bytes", async () => {
    await checkAsyncProperty("front end", [plan], async (given) => {
      await sendsTheSameAfterRestarts(given);
    });
  });

  it("does not count again, after a restart, a summary that a budget has dropped since", async () => {
    const policy = { ...BUSY_POLICY, budget: 150, digestTokens: 60, digestTailTokens: 0, digestTailTurns: 0 };
    await sendsTheSameAfterRestarts({
      options: { policy, compact: true, recall: false, lossy: true },
      provider: { thinking: "adaptive", shortIds: false, clientTools: ["read"] },
      habits: { drops: "nothing", defaults: false, strings: false, markers: false },
      stock: { words: [], results: [] },
      steps: [
        { kind: "go", seed: 190243 },
        { kind: "go", seed: 848315 },
        { kind: "rewind", seed: 928273 },
        { kind: "go", seed: 526909 },
        { kind: "again", seed: 411298 },
        { kind: "go", seed: 389921 },
        { kind: "go", seed: 76823 },
        { kind: "go", seed: 300967 },
        { kind: "go", seed: 26874 },
        { kind: "twice", seed: 70098 },
      ],
    });
  });
});

after(() => {
  for (const [name, count] of Object.entries(reached)) assert.ok(count > 0, `no ${name}`);
});
