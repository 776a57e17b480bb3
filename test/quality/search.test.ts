import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import type { Marker, Marks } from "../../bench/quality/judge.ts";
import { searchWorths, settingFor, shippedWorths, useWorths } from "../../bench/quality/search.ts";
import { STANDINGS, WORD_WORTHS } from "../../src/content/words/word-worths.ts";
import { CAMEL, SNAKE } from "../../src/content/words/words.ts";

const MARKS: Marks = { bound: 0, longBound: 1, fresh: 1, self: 1, cost: 0, bill: 0, worst: 1 };
const worthOf = (shape: number): number => WORD_WORTHS[shape * STANDINGS] ?? 0;
/** Keeps the more, the nearer a worth is to 200. */
const near = (shape: number, sign = 1): number => -sign * Math.abs(Math.log2(worthOf(shape) / 200));

describe("tuning", () => {
  afterEach(() => {
    useWorths(shippedWorths);
  });

  test("finds what all parts of the tasks agree on, and leaves alone what they do not", async () => {
    const part = (sign: number): Marker => ({ marksOf: () => Promise.resolve({ ...MARKS, bound: near(CAMEL) + 0.1 * near(SNAKE, sign) }) });
    const worths = await searchWorths([part(1), part(1), part(-1), part(-1)], 4, () => undefined);
    assert.ok(Math.abs((worths[CAMEL * STANDINGS] ?? 0) - 200) < 20);
    assert.equal(worths[SNAKE * STANDINGS], 100);
    assert.deepEqual([...WORD_WORTHS], worths);
  });
  test("takes the middle one of the settings that keep enough and cost little enough", async () => {
    // A later digest keeps more and costs more.
    const keeping = (most: number, cost: number): Marker => ({
      marksOf: ({ digestTokens = 0 }) => Promise.resolve({ ...MARKS, bound: most - 10_000 / digestTokens, bill: cost + digestTokens / 1_000_000 }),
    });
    const chosen = async (most: number, cost: number): Promise<readonly [number | undefined, boolean]> => {
      const { numbers, meets } = await settingFor(keeping(most, cost), "gentle");
      return [numbers.digestTokens, meets];
    };
    assert.deepEqual(await chosen(1.2, 0.5), [120_000, true]);
    // What keeps enough costs too much: the cheapest of these.
    assert.deepEqual(await chosen(1.2, 0.9), [80_000, false]);
    assert.deepEqual(await chosen(0.5, 0.5), [150_000, false]);
  });
});
