/** Does the measure measure what it says? On made-up tasks, where the answers are known. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { costByTask, costPairs, creditByTask, mean } from "../../bench/quality/measure/aggregate.ts";
import { DEFAULT_RULE } from "../../bench/quality/measure/cost.ts";
import { measurePolicy, type TrajectoryScore } from "../../bench/quality/measure/measure-policy.ts";
import type { PreparedTrajectory } from "../../bench/quality/measure/prepare.ts";
import { bareTokenDump, fullContext, oracleLines, randomLines, stubEverything } from "../../bench/quality/policies/controls.ts";
import { keepLast } from "../../bench/quality/policies/keep-last.ts";
import { plainIngest } from "../../bench/quality/policies/plain-rules.ts";
import type { ReplayPolicy } from "../../src/replay/replay-policy.ts";
import { prepare, syntheticTasks } from "./synthetic.ts";

const trajectories = prepare(syntheticTasks(8));
const scoresOf = async (policyFor: (trajectory: PreparedTrajectory) => ReplayPolicy): Promise<readonly TrajectoryScore[]> =>
  Promise.all(trajectories.map((trajectory) => measurePolicy(trajectory, policyFor(trajectory), { schemaTokens: 0 })));
const bound = (scores: readonly TrajectoryScore[]): number => mean(creditByTask(scores, "atRisk", "bound").values());
const visible = (scores: readonly TrajectoryScore[]): number => mean(creditByTask(scores, "atRisk", "visible").values());
const tokens = (scores: readonly TrajectoryScore[]): number => scores.flatMap(({ calls }) => calls).reduce((sum, call) => sum + call.tokens, 0);

const full = await scoresOf(() => fullContext);
const stubs = await scoresOf(() => stubEverything);

test("there is something to find", () => assert.ok(full.every(({ credits }) => credits.atRisk.bound.asked >= 5)));

test("the full context has everything, and costs what it costs", () => {
  for (const group of ["atRisk", "fresh", "self", "prompt"] as const) for (const { credits } of full) assert.equal(credits[group].lost.found, 0, group);
  assert.equal(bound(full), 1);
  assert.equal(mean(costByTask(costPairs(full, full, DEFAULT_RULE)).values()), 1);
});

test("stubs have nothing that is at risk, and the newest results", () => {
  assert.equal(bound(stubs), 0);
  assert.ok(stubs.every(({ credits }) => credits.atRisk.lost.mean === 1));
});

test("monotone in the window", async () => {
  const recalls = await Promise.all([1, 2, 4, 8, 16, 32].map(async (keep) => bound(await scoresOf(() => keepLast(keep)))));
  assert.deepEqual(recalls, recalls.toSorted((a, b) => a - b)); // prettier-ignore
  assert.ok((recalls[0] ?? 1) < 0.1 && recalls.at(-1) === 1, recalls.join(", "));
});

test("the values of another future are found no more often than by chance", () => {
  for (const { chance } of full) assert.ok(chance.bound.asked > 0 && chance.bound.found === 0 && chance.visible.found === 0);
});

test("a list of bare tokens shows more than it binds, and does not win", async () => {
  const dump = await scoresOf(() => bareTokenDump);
  const cut = await scoresOf(() => plainIngest(2_000));
  assert.ok(visible(dump) > bound(dump) + 0.2, `${visible(dump)} ${bound(dump)}`);
  assert.ok(bound(dump) < bound(cut), `${bound(dump)} ${bound(cut)}`);
});

test("the oracle has everything at few tokens; as many random lines have little", async () => {
  const oracle = await scoresOf(oracleLines);
  const random = await scoresOf(() => randomLines(0.2));
  assert.equal(bound(oracle), 1);
  assert.ok(tokens(oracle) < 0.35 * tokens(full), `${tokens(oracle) / tokens(full)}`);
  assert.ok(bound(random) < 0.5 && tokens(random) > tokens(oracle));
});

describe("companions", () => {
  test("user text and byte stability of the full context are whole", () => {
    assert.ok(full.every(({ companions }) => companions.promptShown.mean === 1 && companions.byteStable.mean === 1));
  });
  test("editing at each step is seen", () => assert.ok(stubs.every(({ companions }) => companions.byteStable.mean < 0.1)));
  test("views are valid", () => assert.ok([...full, ...stubs].every(({ invalidViews }) => invalidViews === 0)));
  test("a view that the provider would refuse is seen", async () => {
    const orphans: ReplayPolicy = {
      name: "orphans",
      start: () => ({ next: (log) => ({ messages: log.filter(({ role }) => role === "user"), recoverable: [] }) }),
    };
    assert.ok((await scoresOf(() => orphans)).every(({ invalidViews, faults }) => invalidViews > 20 && faults.length > 0));
  });
});
