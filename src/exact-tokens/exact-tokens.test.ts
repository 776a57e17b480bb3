import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { calibrationSamples, unfittedSamples } from "../../scripts/tokens/sample-texts.ts";
import { exactTokens } from "./exact-tokens.ts";

const counted = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });

describe("exactTokens", () => {
  for (const [kind, texts] of Object.entries({ ...calibrationSamples(), ...unfittedSamples() })) {
    test(`is what the tokenizer counts: ${kind}`, () => {
      for (const text of [texts].flat().slice(0, 20)) assert.equal(exactTokens(text), counted(text));
    });
  }

  test("special tokens are text", () => {
    assert.equal(exactTokens("<|endoftext|>"), counted("<|endoftext|>"));
    assert.ok(exactTokens("<|endoftext|>") > 1);
  });

  test("nothing has no tokens", () => assert.equal(exactTokens(""), 0));

  const runs: readonly (readonly [what: string, unit: string])[] = [
    ["equal signs", "="],
    ["letters", "a"],
    ["words without spaces", "lorem"],
    ["Chinese", "的一是在不了有和人这"],
    ["spaces", " "],
    ["newlines", "\n"],
    ["digits", "1"],
    ["emoji, not cut in two", "😀"],
    ["lone surrogates", "\ud83d"],
  ];
  for (const [what, unit] of runs) {
    test(`100,000 characters in one run are counted at once, as if there were no cut: ${what}`, { timeout: 20_000 }, () => {
      const run = (length: number): string => unit.repeat(Math.ceil(length / unit.length));
      const tokens = exactTokens(`before ${run(100_000)} behind`);
      const perCharacter = counted(run(4_096)) / run(4_096).length;
      const ratio = tokens / (perCharacter * run(100_000).length);
      assert.ok(Math.abs(ratio - 1) < 0.01, `${tokens} tokens, ${ratio} of what 4,096 characters suggest`);
    });
  }
});
