import assert from "node:assert/strict";
import { test } from "node:test";
import type { Recording } from "../../bench/quality/measure/recording.ts";
import { partOf } from "../../bench/quality/split.ts";

const recordings = ["a", "b"].flatMap((source) =>
  Array.from({ length: 7 }, (_, number) => ({ id: `${source}${number}`, task: `${source}${number >> 1}`, source }) as Recording),
);
const tasksOf = (part: number, of: number): string[] => [...new Set(partOf(recordings, { part, of }).map(({ task }) => task))];

test("parts have no task in common, and all together", () => {
  const parts = [1, 2, 3].flatMap((part) => tasksOf(part, 3));
  assert.deepEqual(parts.sort(), ["a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3"]);
});

test("each has as many tasks of a source, whatever the order of the recordings", () => {
  for (const part of [1, 2]) assert.deepEqual(["a", "b"].map((source) => tasksOf(part, 2).filter((task) => task.startsWith(source)).length), [2, 2]); // prettier-ignore
  const turned = partOf([...recordings].reverse(), { part: 1, of: 2 });
  assert.deepEqual(new Set(turned.map(({ task }) => task)), new Set(tasksOf(1, 2)));
});

test("no split is all", () => assert.equal(partOf(recordings, undefined), recordings));
