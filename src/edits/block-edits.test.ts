import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { newestBlockEdits } from "./block-edits.ts";
import type { Proposal } from "./edit.ts";

const at = (position: number, block = 0): { position: number; block: number } => ({ position, block });
const origin = { pass: "p", reason: "r" };
const words = (position: number, text: string, madeAt = 9): Proposal => ({ kind: "replace-block", at: at(position), text, madeAt, ...origin });
const strip = (madeAt: number, ...places: readonly (readonly [number, number])[]): Proposal => ({
  kind: "strip-blocks",
  at: places.map(([position, block]) => at(position, block)),
  madeAt,
  ...origin,
});
const range: Proposal = { kind: "replace-range", from: at(0), to: at(1), role: "user", summary: "", madeAt: 9, ...origin };

describe("edits on single blocks", () => {
  const shown = (...edits: readonly Proposal[]): string[] =>
    newestBlockEdits(edits).map(({ at: place, edit }) => `${place.position}.${place.block} ${edit.kind === "replace-block" ? edit.text : edit.kind}`);

  test("come in the order of their blocks, whatever the order of the edits", () => {
    assert.deepEqual(shown(words(1, "a"), words(2, "b"), words(3, "c")), ["1.0 a", "2.0 b", "3.0 c"]);
    assert.deepEqual(shown(words(3, "c"), range, words(1, "a"), strip(9, [2, 1], [2, 0])), ["1.0 a", "2.0 strip-blocks", "2.1 strip-blocks", "3.0 c"]);
    assert.deepEqual(shown(words(1, "a"), words(3, "c"), words(2, "b")), ["1.0 a", "2.0 b", "3.0 c"]);
  });
  test("on one block the newest shows, and of two that were made at once the later", () => {
    assert.deepEqual(shown(words(1, "old", 3), words(1, "new", 5)), ["1.0 new"]);
    assert.deepEqual(shown(words(1, "new", 5), words(1, "old", 3)), ["1.0 new"]);
    assert.deepEqual(shown(words(1, "first"), words(1, "second")), ["1.0 second"]);
    assert.deepEqual(shown(words(0, "x"), words(1, "a", 4), strip(5, [1, 0])), ["0.0 x", "1.0 strip-blocks"]);
  });
});
