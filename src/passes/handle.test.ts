import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { handleNote, handleOf, noteOf, parsePartHandle, partHandle, partRange, RECALL } from "./handle.ts";

describe("handles", () => {
  test("are eight characters, the same each time, and others for other threads, places and salts", () => {
    const at = { position: 3, block: 1 };
    const handles = [
      handleOf("t", at),
      handleOf("u", at),
      handleOf("t", { position: 31, block: 1 }),
      handleOf("t", { position: 3, block: 11 }),
      handleOf("t", at, 1),
      handleOf("", at),
    ];
    assert.deepEqual(handles, ["l3kl5t5l", "z70x94kd", "7loo2g2t", "8ldrrkc9", "tj0rlyvf", "c7rc9gc4"]);
    assert.equal(handleOf("t", at, 0), handles[0]);
  });
  test("are named in one form, a long original by its parts", () => {
    assert.equal(handleNote("abc"), "[recall handle: abc]");
    assert.equal(handleNote("abc", "short"), "[recall handle: abc]");
    assert.match(handleNote("abc", "a line of it\n".repeat(600)), /^\[recall handles: abc-1 abc-2\]$/);
    assert.match(handleNote("abc", "a line of it\n".repeat(900)), /^\[recall handles: abc-1 abc-2 abc-3\]$/);
    assert.equal(noteOf(["a", "b"]), "[recall handles: a b]");
    assert.equal(RECALL, "recall");
  });
  test("of parts are read back, and nothing else is", () => {
    assert.deepEqual(parsePartHandle(partHandle("a-b", 12)), { handle: "a-b", part: 12, lastPart: 12 });
    for (const name of [partRange("a-b", 3, 7), "a-b-3..-7", "a-b-3...-7", "a-b-3…7"])
      assert.deepEqual(parsePartHandle(name), { handle: "a-b", part: 3, lastPart: 7 }, name);
    assert.deepEqual(parsePartHandle(partRange("a-b", 98, 123_456)), { handle: "a-b", part: 98, lastPart: 123_456 });
    assert.deepEqual([partRange("abc", 3, 7), partRange("abc", 3, 3)], ["abc-3…-7", "abc-3"]);
    assert.equal(noteOf([partRange("abc", 1, 40)]), "[recall handles: abc-1…-40]");
    for (const name of ["abc", "abc-", "-1", "abc-1x", "abc-1234567", "abc-x1", "x\nabc-1", "", "abc-1…", "abc-1…-x"])
      assert.equal(parsePartHandle(name), undefined, JSON.stringify(name));
  });
});
