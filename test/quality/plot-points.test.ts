import assert from "node:assert/strict";
import { test } from "node:test";
import { labelPlaces } from "../../bench/quality/label-places.ts";
import { drawResamples } from "../../bench/quality/measure/bootstrap.ts";
import { keyOf, MAX_PRICE, panelsOf } from "../../bench/quality/plot-points.ts";
import { summarize, type PolicySummary } from "../../bench/quality/summarize.ts";
import { scoreOf } from "./scores.ts";

const FRAME = { width: 400, height: 300 };
const sampling = { tasks: ["a"], resamples: drawResamples(1, 10) };
const full = [scoreOf({ task: "a", isLong: true, bound: 10, tokens: 100 })];
const summaryOf = (name: string, kind: string, tokens: number, invalidViews = 0): PolicySummary =>
  summarize({ name, kind, scores: [{ ...scoreOf({ task: "a", isLong: true, bound: 5, tokens }), invalidViews }] }, full, [], sampling);
const summaries = [
  summaryOf("full context", "control", 100),
  summaryOf("oracle lines", "control", 50),
  summaryOf("rejected", "peer", 60, 1),
  summaryOf("dear", "peer", 300),
  summaryOf("gentle", "ours", 80),
];

test("ours come first in the key, the oracle last, and hollow is who sends invalid views", () => {
  const key = keyOf(summaries).map(({ label, name, isHollow }) => `${label} ${name}${isHollow ? " hollow" : ""}`);
  assert.deepEqual(key, ["1 gentle", "2 rejected hollow", "3 dear", "4 full context", "5 oracle lines"]);
});

test("each panel has every policy; a dear one stands at the edge and says its price", () => {
  const panels = panelsOf(summaries, FRAME);
  assert.deepEqual(panels.map(({ scope, measure }) => `${scope} ${measure}`), ["all cost", "all bill", "long cost", "long bill"]); // prettier-ignore
  for (const { points } of panels) {
    assert.equal(points.length, summaries.length);
    assert.deepEqual(points.filter(({ price }) => price === MAX_PRICE).map(({ label }) => label), ["3 at 3.0"]); // prettier-ignore
  }
});

test("labels of a crowd cover neither points nor each other, and stay inside", () => {
  const crowd = Array.from({ length: 12 }, (_, number) => ({ x: 385 + 5 * (number % 3), y: 6 * Math.floor(number / 3), label: `${number + 10}` }));
  const places = labelPlaces(crowd, FRAME);
  for (const [number, { x, y }] of places.entries()) {
    assert.ok(x >= 6 && x <= FRAME.width - 6 && y >= 5 && y <= FRAME.height - 5, `label ${number} at ${x}, ${y}`);
    for (const point of crowd) assert.ok(Math.abs(point.x - x) >= 10 || Math.abs(point.y - y) >= 9, `label ${number} on a point`);
    for (const other of places.slice(0, number)) assert.ok(Math.abs(other.x - x) >= 12 || Math.abs(other.y - y) >= 11, `label ${number} on another`);
  }
});
