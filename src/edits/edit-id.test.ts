import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Place } from "../messages/place.ts";
import type { Change } from "./change.ts";
import { editId } from "./edit-id.ts";

const at = (position: number, block: number): Place => ({ position, block });
const result = (place: Place, content: string | []): Change => ({ kind: "replace-result", at: place, callId: "a", form: "stub", content });
const input = (place: Place, value: Record<string, unknown>): Change => ({ kind: "replace-input", at: place, input: value });
const collapse = (call: number, lastResult: number, note: string): Change => ({ kind: "collapse-round", call, lastResult, note });
const range = (from: Place, to: Place, role: "user" | "assistant", summary: string): Change => ({ kind: "replace-range", from, to, role, summary });
const strip = (...places: Place[]): Change => ({ kind: "strip-blocks", at: places });
const text = (place: Place, shown: string): Change => ({ kind: "replace-block", at: place, text: shown });

/** All are different edits. */
const CHANGES: readonly (() => Change)[] = [
  () => result(at(1, 0), "x"),
  () => result(at(1, 0), "y"),
  () => result(at(0, 1), "x"),
  () => result(at(10, 0), "x"),
  () => result(at(1, 0), "[]"),
  () => result(at(1, 0), []),
  () => result(at(1, 1), []),
  () => input(at(1, 0), {}),
  () => input(at(1, 0), { a: 1 }),
  () => input(at(1, 1), {}),
  () => collapse(1, 2, "x"),
  () => collapse(1, 3, "x"),
  () => collapse(0, 2, "x"),
  () => collapse(1, 2, "y"),
  () => range(at(1, 0), at(2, 0), "user", "x"),
  () => range(at(1, 0), at(2, 0), "assistant", "x"),
  () => range(at(1, 0), at(2, 0), "user", "y"),
  () => range(at(1, 0), at(3, 0), "user", "x"),
  () => range(at(0, 0), at(2, 0), "user", "x"),
  () => strip(at(1, 0)),
  () => strip(at(1, 0), at(1, 1)),
  () => strip(at(1, 1), at(12, 0)),
  () => strip(at(1, 11), at(2, 0)),
  () => text(at(1, 0), "x"),
  () => text(at(1, 0), "y"),
  () => text(at(1, 1), "x"),
];

describe("the id of an edit", () => {
  test("tells apart where it is, what it shows, its kind and when it was made", () => {
    const ids = CHANGES.flatMap((change) => [editId(change(), 3), editId(change(), 4)]);
    assert.equal(new Set(ids).size, ids.length);
  });
  test("is the same for the same edit", () => {
    for (const change of CHANGES) assert.equal(editId(change(), 3), editId(change(), 3));
  });
  test("has sixteen digits, those at its start included", () => {
    const ids = Array.from({ length: 200 }, (_, number) => editId(text(at(number, 0), "x"), 3));
    for (const id of ids) assert.match(id, /^[0-9a-f]{16}$/);
    assert.ok(ids.some((id) => id.startsWith("0")) && ids.some((id) => id.charAt(8) === "0"));
  });
  test("stays what it is: stored edits have it", () => {
    assert.equal(editId(result(at(1, 0), "x"), 3), "6b57f88dd38f8d8c");
    assert.equal(editId(strip(at(1, 0), at(1, 1)), 3), "c810ad5928e88ea6");
  });
});
