import assert from "node:assert/strict";
import { test } from "node:test";
import { differencesOf, type Difference } from "../../bench/quality/differences.ts";
import { drawResamples } from "../../bench/quality/measure/bootstrap.ts";
import { summarize, type Run } from "../../bench/quality/summarize.ts";
import { scoreOf, type MadeScore } from "./scores.ts";

const TASKS = ["a", "b", "c"];
const sampling = { tasks: TASKS, resamples: drawResamples(TASKS.length, 500) };
const runOf = (name: string, scores: readonly MadeScore[]): Run => ({ name, kind: name, scores: scores.map(scoreOf) });

// The gap of the second task is longer than the time to live: what it shares is written again.
const gap = { isLong: true, idleMs: 3_600_000, sharedTokens: 100 };
const full = runOf("full", [{ task: "a", bound: 10, tokens: 100 }, { task: "b", bound: 10, tokens: 1_000, ...gap }, { task: "c", bound: 10, tokens: 10 }]); // prettier-ignore
const own = runOf("own", [{ task: "a", bound: 9, tokens: 50 }, { task: "b", bound: 8, tokens: 200, ...gap }, { task: "c", bound: 10, tokens: 10 }]); // prettier-ignore
const other = runOf("other", [{ task: "a", bound: 8, tokens: 80 }, { task: "b", bound: 7, tokens: 900, ...gap }, { task: "c", bound: 9, tokens: 9 }]); // prettier-ignore

const [difference] = differencesOf([own], [own, other], full.scores, sampling) as [Difference];
const near = (actual: number, expected: number): void => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual}, not ${expected}`);

test("a policy is not compared with itself", () => assert.deepEqual([difference.of, difference.against], ["own", "other"]));

test("cost is a mean over tasks, a bill one sum over all of them", () => {
  near(difference.all.withGaps.cost.estimate, (50 / 100 + 200 / 1_000 + 10 / 10 - (80 / 100 + 900 / 1_000 + 9 / 10)) / 3);
  near(difference.all.withGaps.bill.estimate, (50 + 200 + 10 - (80 + 900 + 9)) / 1_110);
});

test("without gaps, what is shared is read", () => {
  const read = (tokens: number): number => 1.25 * (tokens - 100) + 0.1 * 100;
  near(difference.long.noGaps.bill.estimate, (read(200) - read(900)) / read(1_000));
});

test("on the long ones, only they count", () => {
  near(difference.long.bound.estimate, 0.1);
  near(difference.long.withGaps.cost.estimate, (200 - 900) / 1_000);
});

test("the difference of two bills is what their summaries differ by, in the estimate and in every draw", () => {
  const [mine, theirs] = [own, other].map((run) => summarize(run, full.scores, [], sampling).all.bill);
  near(difference.all.withGaps.bill.estimate, (mine?.estimate ?? 0) - (theirs?.estimate ?? 0));
  // One draw: the interval is that draw.
  const one = { tasks: TASKS, resamples: drawResamples(TASKS.length, 1) };
  const [drawn] = differencesOf([own], [other], full.scores, one) as [Difference];
  const [mineDrawn, theirsDrawn] = [own, other].map((run) => summarize(run, full.scores, [], one).all.bill);
  near(drawn.all.withGaps.bill.low, (mineDrawn?.low ?? 0) - (theirsDrawn?.low ?? 0));
});

test("differences are paired: a constant one has no interval, however tasks vary", () => near(difference.all.bound.high - difference.all.bound.low, 0));
