import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { calibrationSamples } from "../../scripts/tokens/sample-texts.ts";
import { countO200k } from "../../scripts/tokens/o200k.ts";
import { checkProperty } from "../../test/support/check-property.ts";
import { estimateTokens } from "./estimate-tokens.ts";

describe("estimateTokens", () => {
  const EXACT: readonly (readonly [text: string, tokens: number])[] = [
    ["", 0],
    ["a", 1],
    ["\n", 1],
    [" ", 1],
    ["Hello, world!", 4],
    ["const answer = 42;", 6],
    ["  if (done) return;\n", 7],
    ["1234567890", 4],
    ["a  b", 3],
    ["trailing   \n", 2],
    ["====================", 1],
    ["\u{1f600}", 2],
  ];
  for (const [text, tokens] of EXACT) test(`${JSON.stringify(text)}: ${tokens}`, () => assert.equal(estimateTokens(text), tokens));

  test("is a whole number, at least one for any text, and the same every time", () => {
    const anyText = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), fc.string());
    checkProperty("estimateTokens", [anyText], (text) => {
      const tokens = estimateTokens(text);
      assert.ok(Number.isSafeInteger(tokens) && tokens >= Math.min(1, text.length), `${tokens}`);
      assert.equal(estimateTokens(text), tokens);
    });
  });

  test("two texts cost together about what they cost apart", () => {
    const anyText = fc.oneof(fc.string({ unit: "binary", maxLength: 60 }), fc.string({ unit: "grapheme", maxLength: 60 }), fc.lorem({ maxCount: 20 }));
    checkProperty("estimateTokens of two texts", [anyText, anyText], (first, second) => {
      const apart = estimateTokens(first) + estimateTokens(second);
      assert.ok(Math.abs(estimateTokens(`${first}\n${second}`) - apart) <= 5, `${apart} apart`);
    });
  });

  test("grows with the text", () => {
    for (const [text] of Object.values(calibrationSamples())) {
      if (text === undefined) assert.fail("a kind without texts");
      const estimates = Array.from({ length: 200 }, (_, end) => estimateTokens(text.slice(0, end)));
      for (const [end, tokens] of estimates.entries()) assert.ok((estimates[end + 1] ?? tokens) >= tokens - 1, JSON.stringify(text.slice(0, end + 1)));
    }
  });

  const RUNS: readonly (readonly [what: string, unit: string])[] = [
    ["letters", "a"],
    ["words without spaces", "lorem"],
    ["capitals", "A"],
    ["equal signs", "="],
    ["closing brackets", "}"],
    ["spaces", " "],
    ["tabs", "\t"],
    ["newlines", "\n"],
    ["Windows newlines", "\r\n"],
    ["digits", "1"],
    ["Chinese", "的一是在不了有和人这"],
    ["emoji", "😀"],
    ["lone surrogates", "\ud83d"],
    ["low surrogates first", "\ude00\ud83d"],
    ["control characters", "\0"],
    ["a character that is in no table", "\ue000"],
  ];
  for (const [what, unit] of RUNS) {
    test(`a megabyte in one run costs no more than its share, and not nothing: ${what}`, () => {
      const run = (length: number): string => unit.repeat(length / unit.length);
      const perCharacter = countO200k(run(1_000)) / 1_000;
      const ratio = estimateTokens(run(1_000_000)) / (perCharacter * 1_000_000);
      assert.ok(ratio > 0.2 && ratio < 5, `${ratio} of the tokens that it has`);
    });
  }
});
