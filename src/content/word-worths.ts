import { CAMEL, CAPITALS, FILE, FOLDER, HEX, LONG, LONG_NAME, LONG_NUMBER, MIXED, NAME, NUMBER, PLAIN, SHAPES, SNAKE } from "./words.ts";

/** How a word stands to the conversation. */
export const NEW = 0;
/** It was there before, but not yet in this text. */
export const KNOWN = 1;
/** It is in this text already. */
export const AGAIN = 2;
/** The assistant has said it since it read the text. */
export const USED = 3;
export const STANDINGS = 4;

/**
 * What a word is worth by its shape: how often, for its cost, it is what an agent refers to later. The first three columns were fitted to
 * recorded sessions, as the rates of a Poisson model whose rate of a line is the sum over its words, then changed one by one where four
 * parts of the sessions agreed that it is better (bench/quality/search.ts; docs/decisions/0009). The last column is a guess.
 */
const WORTHS: Readonly<Record<number, readonly [isNew: number, isKnown: number, isAgain: number, isUsed: number]>> = {
  [NUMBER]: [4, 4, 4, 40],
  [LONG_NUMBER]: [120, 15, 10, 300],
  [CAMEL]: [130, 20, 6, 300],
  [SNAKE]: [130, 30, 6, 300],
  [HEX]: [75, 20, 12, 300],
  [MIXED]: [110, 20, 8, 300],
  [FILE]: [175, 80, 8, 200],
  [FOLDER]: [80, 70, 20, 100],
  [CAPITALS]: [75, 15, 10, 200],
  [LONG]: [7, 7, 7, 7],
  [LONG_NAME]: [15, 15, 15, 15],
  [NAME]: [12, 12, 12, 12],
  [PLAIN]: [5, 5, 5, 5],
};

/** Per shape and standing, side by side. */
export const WORD_WORTHS: Float64Array = Float64Array.from(
  { length: SHAPES * STANDINGS },
  (_, place) => WORTHS[Math.floor(place / STANDINGS)]?.[place % STANDINGS] ?? 0,
);

/** Words of prose are worth the same wherever they stand. */
export function dependsOnStanding(shape: number): boolean {
  return shape < LONG && shape !== NUMBER;
}

export function worthOfWord(shape: number, standing: number): number {
  return WORD_WORTHS[shape * STANDINGS + standing] ?? 0;
}
