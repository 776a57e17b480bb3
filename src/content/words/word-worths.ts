import { CAMEL, CAPITALS, FILE, FOLDER, HEX, LONG, LONG_NAME, LONG_NUMBER, MIXED, NAME, NUMBER, PLAIN, SHAPES, SNAKE } from "./words.ts";

/** The standing of a word in the conversation. */
export const NEW = 0;
/** It is in this text already. */
export const AGAIN = 1;
/** The assistant has said it since it read the text. */
export const USED = 2;
export const STANDINGS = 3;

/**
 * The worth of a word by its shape: how often, for its cost, an agent refers to it later. Names, ids and paths started at ten times the worth
 * of prose; each number was then changed if four parts of the recorded sessions agreed that it is better
 * (`npm run bench:tune -- --keep-back 4/4`; docs/lab/policy-numbers.md). The last column counts only in batches, and is a guess.
 */
const WORTHS: Readonly<Record<number, readonly [isNew: number, isAgain: number, isUsed: number]>> = {
  [NUMBER]: [6, 6, 6],
  [LONG_NUMBER]: [100, 10, 300],
  [CAMEL]: [100, 10, 300],
  [SNAKE]: [100, 5, 300],
  [HEX]: [100, 10, 300],
  [MIXED]: [100, 17, 300],
  [FILE]: [200, 5, 300],
  [FOLDER]: [50, 10, 300],
  [CAPITALS]: [100, 10, 300],
  [LONG]: [2, 2, 2],
  [LONG_NAME]: [5, 5, 5],
  [NAME]: [5, 5, 5],
  [PLAIN]: [10, 10, 10],
};

/** The worths by shape and standing, in one flat array. */
export const WORD_WORTHS: Float64Array = Float64Array.from(
  { length: SHAPES * STANDINGS },
  (_, place) => WORTHS[Math.floor(place / STANDINGS)]?.[place % STANDINGS] ?? 0,
);

/** Words of prose are worth the same, whatever their standing. */
export function dependsOnStanding(shape: number): boolean {
  return shape < LONG && shape !== NUMBER;
}

export function worthOfWord(shape: number, standing: number): number {
  return WORD_WORTHS[shape * STANDINGS + standing] ?? 0;
}
