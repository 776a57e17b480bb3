import assert from "node:assert/strict";
import { test } from "node:test";
import type { Proposal } from "../edits/edit.ts";
import { partHandle } from "./handle.ts";
import { wholeGroups } from "./whole-groups.ts";

const origin = { pass: "test", reason: "because", madeAt: 9 };
const range = (position: number, handle?: string): Proposal => ({
  ...origin,
  kind: "replace-range",
  from: { position, block: 0 },
  to: { position: position + 1, block: 0 },
  role: "user",
  summary: "S.",
  ...(handle === undefined ? {} : { handle }),
});
const result = (position: number, handle: string): Proposal => ({
  ...origin,
  kind: "replace-result",
  at: { position, block: 0 },
  callId: "a",
  form: "stub",
  content: "s",
  handle,
});

const a = [range(1, partHandle("a", 1)), range(3, partHandle("a", 2))] as const;
const b = [range(5, partHandle("b", 1)), range(7, partHandle("b", 2))] as const;

test("ranges that one note names are all made, or none of them", () => {
  assert.deepEqual(wholeGroups([...a, ...b], [...a, ...b]), [...a, ...b]);
  assert.deepEqual(wholeGroups([...a, ...b], [a[1], ...b]), b);
  assert.deepEqual(wholeGroups([...a, ...b], [a[0], b[0]]), []);
});

test("what belongs to no group stays, whatever is missing beside it", () => {
  const alone = [range(1), range(3, "c"), result(5, "d")];
  assert.deepEqual(wholeGroups([...alone, range(7, "e"), result(8, "f")], alone), alone);
});

test("only ranges are groups: results with parts of one handle are made one by one", () => {
  const parts = [result(1, partHandle("a", 1)), result(3, partHandle("a", 2))];
  assert.deepEqual(wholeGroups(parts, parts.slice(1)), parts.slice(1));
});
