import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import type { Marker, Marks } from "../../bench/quality/judge.ts";
import { searchWorths, settingFor, shippedWorths, useWorths } from "../../bench/quality/search.ts";
import { STANDINGS, WORD_WORTHS } from "../../src/content/word-worths.ts";
import { CAMEL, SNAKE } from "../../src/content/words.ts";

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
    const keeping = (most: number): Marker => ({
      marksOf: ({ ingestWorth = 0 }) => Promise.resolve({ ...MARKS, bound: most - ingestWorth / 10, cost: 1 - ingestWorth / 10 }),
    });
    assert.deepEqual(await settingFor(keeping(1.2535), "gentle"), { numbers: { ingestWorth: 3 }, meets: true });
    // Only 2 and 2.2 keep enough, and neither costs little enough.
    assert.deepEqual(await settingFor(keeping(1.14), "gentle"), { numbers: { ingestWorth: 2.2 }, meets: false });
    assert.deepEqual(await settingFor(keeping(0.5), "gentle"), { numbers: { ingestWorth: 2 }, meets: false });
  });
});
