import assert from "node:assert/strict";
import { test } from "node:test";
import { drawResamples, meanInterval, ratioInterval } from "../../bench/quality/measure/bootstrap.ts";

const resamples = drawResamples(40, 2_000);
const spread = Array.from({ length: 40 }, (_, number) => number % 2);

test("each resample draws as many tasks as there are, the same ones every time", () => {
  assert.ok(resamples.every((counts) => counts.reduce((sum, count) => sum + count, 0) === 40));
  assert.deepEqual(drawResamples(40, 5), resamples.slice(0, 5));
});

test("what does not vary has no interval", () => assert.deepEqual(meanInterval(spread.map(() => 0.25), resamples), { estimate: 0.25, low: 0.25, high: 0.25 })); // prettier-ignore

test("the interval of a mean of 40 coins is about as wide as theory says", () => {
  const { estimate, low, high } = meanInterval(spread, resamples);
  const expected = 2 * 1.96 * Math.sqrt(0.25 / 40);
  assert.equal(estimate, 0.5);
  assert.ok(Math.abs(high - low - expected) < 0.05, `${high - low} ${expected}`);
});

test("a task without a value counts nowhere", () => assert.equal(meanInterval([1, Number.NaN, 3], drawResamples(3, 100)).estimate, 2));

test("a bill is one sum over another, not a mean of ratios", () => assert.equal(ratioInterval([1, 90], [10, 100], drawResamples(2, 100)).estimate, 91 / 110));

test("differences are paired: what moves together does not blur them", () => {
  const { low, high } = meanInterval(spread.map((value) => value + 0.1 - value), resamples); // prettier-ignore
  assert.ok(Math.abs(low - 0.1) < 1e-9 && Math.abs(high - 0.1) < 1e-9);
});
