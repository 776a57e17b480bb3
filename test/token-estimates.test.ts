/**
 * How far `estimateTokens` may be from o200k. `node scripts/measure-token-estimates.ts` prints how far it is. The tool results are read
 * where they lie, and are no part of this repository: see `test/corpus.test.ts`.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { countO200k } from "../scripts/tokens/o200k.ts";
import { declarationSamples, namedSamples, randomLetterSamples } from "../scripts/tokens/named-samples.ts";
import { calibrationSamples, unfittedSamples } from "../scripts/tokens/sample-texts.ts";
import { scriptSamples, symbolSamples, type Sample } from "../scripts/tokens/script-samples.ts";
import { estimateTokens } from "../src/index.ts";
import { HOW_TO_GET_IT } from "./support/corpus.ts";
import { readCorpusToolResults } from "./support/corpus-tool-results.ts";
import { seed } from "./support/run-settings.ts";

const sum = (texts: readonly string[], count: (text: string) => number): number => texts.reduce((total, text) => total + count(text), 0);

function checkSum(texts: readonly string[], limit: number): void {
  const tokens = sum(texts, countO200k);
  const error = sum(texts, estimateTokens) / tokens - 1;
  assert.ok(tokens > 200, `${tokens} tokens are too few to tell`);
  assert.ok(Math.abs(error) <= limit, `the sum is off by ${(100 * error).toFixed(1)} %`);
}

describe("in sum, texts of a kind are within 10 % of o200k", () => {
  for (const [kind, texts] of Object.entries(calibrationSamples())) test(kind, () => checkSum(texts, 0.1));
});

describe("kinds that nothing was fitted on are within 25 %", () => {
  for (const [kind, text] of Object.entries(unfittedSamples())) test(kind, () => checkSum([text], 0.25));
});

/** Neither under nor over by more than the limit: an estimate of half the tokens is as wrong as one of twice as many. */
function checkSample({ text }: Sample, limit: number): void {
  const ratio = estimateTokens(text) / countO200k(text);
  assert.ok(ratio <= 1 + limit && ratio >= 1 / (1 + limit), `${ratio.toFixed(2)} of its tokens`);
}

describe("no script is off by more than 40 %, whatever its letters spell", () => {
  for (const sample of scriptSamples(seed())) test(sample.name, () => checkSample(sample, 0.4));
});

describe("no block of symbols is off by more than 40 %", () => {
  for (const sample of symbolSamples(seed())) test(sample.name, () => checkSample(sample, 0.4));
});

describe("no language is off by more than 40 %, with sentences that nothing was fitted on", () => {
  for (const sample of declarationSamples()) test(sample.name, () => checkSample(sample, 0.4));
});

describe("what terminals draw, glyphs and identifiers are within 25 %", () => {
  for (const sample of namedSamples(seed())) test(sample.name, () => checkSample(sample, 0.25));
});

describe("languages that were far off are within 25 %", () => {
  const named = ["amharic", "cherokee", "finnish", "georgian", "greek", "khmer", "lao", "swahili", "tibetan", "vietnamese"];
  for (const sample of declarationSamples().filter(({ name }) => named.includes(name))) test(sample.name, () => checkSample(sample, 0.25));
});

describe("random letters are within 40 %, though no token was made for them", () => {
  for (const sample of randomLetterSamples(seed())) test(sample.name, () => checkSample(sample, 0.4));
});

const results = readCorpusToolResults()
  .map(({ file, text }) => ({ harness: file.replace(/\/.*/, ""), text, tokens: countO200k(text) }))
  .filter(({ tokens }) => tokens > 200);

if (results.length === 0) {
  test("the corpus is not there: no tool results were checked", (t) => {
    t.diagnostic(HOW_TO_GET_IT);
  });
} else {
  describe("nine of ten tool results over 200 tokens are within 25 % of o200k", () => {
    const isWithin = ({ text, tokens }: { text: string; tokens: number }): boolean => Math.abs(estimateTokens(text) / tokens - 1) <= 0.25;
    for (const [harness, ofHarness] of Map.groupBy(results, (result) => result.harness)) {
      test(`of ${harness}`, () => assert.ok(ofHarness.filter(isWithin).length >= 0.9 * ofHarness.length));
    }
    test("of all", (t) => {
      const within = results.filter(isWithin).length;
      t.diagnostic(`${within} of ${results.length}`);
      assert.ok(within >= 0.9 * results.length);
    });
  });
}
