import assert from "node:assert/strict";
import { test } from "node:test";
import { assistant, text, user } from "../../../test/support/build.ts";
import { movedBetween, spreadOf } from "./text-spread.ts";
import { TokenFit } from "./token-fit.ts";

test("a batch that removes as much as is added teaches little about the cost of a piece", () => {
  const fit = new TokenFit(1);
  for (let call = 0; call < 20; call++) {
    const [words, pieces] = [400 + 60 * (call % 7), 2 + (call % 4)];
    fit.learn({ text: words, pieces }, words + 8 * pieces, words);
    // The estimates of the added and the removed text are each off by a few percent, which is more than their difference.
    if (call % 5 === 4) fit.learn({ text: -14, pieces: 4 }, 170, 3_000);
  }
  assert.ok(Math.abs(fit.tokens({ text: 1_000, pieces: 0 }) - 1_000) < 30, `${fit.tokens({ text: 1_000, pieces: 0 })}`);
});

test("what moved between two views is both the added and the removed text, even if the sums are equal", () => {
  const before = [user("Go."), assistant(text("word ".repeat(500))), user("Now.")];
  const shortened = [...before.slice(0, 1), assistant(text("cut")), ...before.slice(2), assistant(text("word ".repeat(498)))];
  const sizeOf = (sums: readonly number[]): number => sums.reduce((sum, each) => sum + each, 0);
  assert.equal(movedBetween(spreadOf(before), spreadOf(before)), 0);
  assert.ok(Math.abs(sizeOf(spreadOf(before)) - sizeOf(spreadOf(shortened))) < 5);
  assert.ok(movedBetween(spreadOf(before), spreadOf(shortened)) > 990);
  assert.equal(movedBetween([], spreadOf(before)), sizeOf(spreadOf(before)));
});
