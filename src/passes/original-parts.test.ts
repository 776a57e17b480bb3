import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { handleNote, parsePartHandle, partHandle } from "./handle.ts";
import { originalPart, originalParts } from "./original-parts.ts";

const lines = (count: number): string => Array.from({ length: count }, (_, line) => `line ${line}: ${"x".repeat(line % 90)}\n`).join("");

test("a text of some thousand characters has no parts, and its handle is its name", () => {
  const text = lines(100);
  assert.deepEqual(originalParts(text), [{ from: 0, to: text.length }]);
  assert.equal(originalPart(text, 1), undefined);
  assert.equal(handleNote("abc", text), "[recall handle: abc]");
});

test("a longer one has parts of whole lines, each with a name", () => {
  const text = lines(400);
  const parts = originalParts(text);
  assert.equal(handleNote("abc", text), `[recall handles: ${parts.map((_, part) => partHandle("abc", part + 1)).join(" ")}]`);
  for (const { from, to } of parts) assert.ok((from === 0 || text[from - 1] === "\n") && to - from <= 6_000);
  assert.equal(parts.map((_, part) => originalPart(text, part + 1)).join(""), text);
  assert.deepEqual([originalPart(text, 0), originalPart(text, parts.length + 1)], [undefined, undefined]);
});

test("of one long line, what stands at a cut is in one of the parts as a whole", () => {
  const words = Array.from({ length: 5_000 }, (_, word) => `name_${word}`);
  const text = words.join(" ");
  const parts = originalParts(text).map(({ from, to }) => text.slice(from, to));
  for (const word of words)
    assert.ok(
      parts.some((part) => part.includes(word)),
      word,
    );
});

test("a text has parts as soon as the last one is more than half as long as the others", () => {
  assert.deepEqual(originalParts("a".repeat(6_000)), [{ from: 0, to: 6_000 }]);
  assert.deepEqual(originalParts("a".repeat(6_001)), [
    { from: 0, to: 4_000 },
    { from: 3_800, to: 6_001 },
  ]);
});

test("a part ends at a line break even if that is the first place where it may end", () => {
  const text = `${"a".repeat(1_000)}\n${"b".repeat(6_000)}`;
  assert.deepEqual(originalParts(text)[0], { from: 0, to: 1_001 });
});

test("a part ends before a character of two units, and only before such a one", () => {
  const endOfFirst = (character: string): number | undefined => originalParts("a".repeat(3_999) + character + "a".repeat(6_000))[0]?.to;
  // The first and last low surrogate, and what comes right before and after them.
  assert.deepEqual(["😀", "\u{10000}", "\u{103ff}"].map(endOfFirst), [3_999, 3_999, 3_999]);
  assert.deepEqual(["a!", "a\ud7ff", "a\ue000"].map(endOfFirst), [4_000, 4_000, 4_000]);
});

test("several parts are given in one piece; what is no part, or runs backwards, is nothing", () => {
  const text = "0123456789".repeat(601);
  assert.equal(originalParts(text).length, 2);
  assert.deepEqual([originalPart(text, 1), originalPart(text, 2), originalPart(text, 1, 2)], [text.slice(0, 4_000), text.slice(3_800), text]);
  assert.deepEqual([originalPart(text, 2, 1), originalPart(text, 0, 1), originalPart(text, 1, 3), originalPart(text, 3)], Array(4).fill(undefined));
});

test("there are never more than fit a line", () => {
  for (const text of ["a".repeat(20_000_000), lines(300_000)]) assert.ok(originalParts(text).length <= 160);
});

test("parts of any text follow each other, leave nothing out and cut no character", () => {
  const text = fc.array(fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.constant("\n"), fc.constant("😀".repeat(900))), { maxLength: 40 });
  fc.assert(
    fc.property(text, (pieces) => {
      const whole = pieces.join("");
      const parts = originalParts(whole);
      assert.equal(parts[0]?.from, 0);
      assert.equal(parts.at(-1)?.to, whole.length);
      for (const [number, { from, to }] of parts.entries()) {
        assert.ok(to > from || whole === "");
        assert.ok(number === 0 || (from <= (parts[number - 1]?.to ?? 0) && to > (parts[number - 1]?.to ?? 0)));
        assert.equal(whole.slice(from, to).isWellFormed(), whole.isWellFormed() || whole.slice(from, to).isWellFormed());
      }
    }),
  );
});

test("the name of a part is told apart", () => {
  assert.deepEqual(parsePartHandle(partHandle("abc", 12)), { handle: "abc", part: 12, lastPart: 12 });
  assert.deepEqual([parsePartHandle("abc"), parsePartHandle("abc-"), parsePartHandle("-1")], [undefined, undefined, undefined]);
});
