import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { originalParts } from "../passes/original-parts.ts";
import { LongText } from "./long-text.ts";

function longText(pieces: readonly string[]): LongText {
  const text = new LongText();
  for (const piece of pieces) text.add(piece);
  return text;
}

const piece = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom("\n", "\n\n", "😀"),
  fc.tuple(fc.constantFrom("a", "line\n", "😀"), fc.nat({ max: 3_000 })).map(([unit, count]) => unit.repeat(count)),
);

describe("LongText", () => {
  test("is as its pieces as one text are", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.nat(), fc.nat(), (pieces, first, second) => {
        const text = longText(pieces);
        const whole = pieces.join("");
        const [from = 0, to = 0] = [first % (whole.length + 1), second % (whole.length + 1)].toSorted((a, b) => a - b);
        assert.equal(text.length, whole.length);
        assert.equal(text.slice(from, to), whole.slice(from, to));
        assert.equal(text.charCodeAt(from), whole.charCodeAt(from));
        assert.deepEqual(originalParts(text), originalParts(whole));
      }),
    );
  });
});
