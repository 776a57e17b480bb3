/**
 * Fits the prices of pieces and of Latin letters, so that the estimates of all stretches of the training texts come closest to their
 * tokens. The machine itself tells where pieces end: run with numbers instead of prices, its costs name the kinds.
 */
import { buildPieceMachine } from "../../src/tokens/build-piece-machine.ts";
import { CHARACTER, END } from "../../src/tokens/character-classes.ts";
import { characterTable, CLASS_MASK, LETTER_MASK, LETTER_SHIFT } from "../../src/tokens/character-table.ts";
import { textOfNumbers } from "../../src/tokens/fitted-text.ts";
import type { FittedCharacters } from "../../src/tokens/fitted-table.ts";
import { LEADS, LONGEST_WORD, MOST_MARKS, NOTHING, SHAPES } from "../../src/tokens/open-pieces.ts";
import type { PiecePrices } from "../../src/tokens/piece-prices.ts";
import type { CharacterFit } from "./fit-characters.ts";
import { leastSquares, type Equations } from "./least-squares.ts";
import { tokenStarts } from "./o200k.ts";
import type { TrainingText } from "./training-texts.ts";

/** Facts of the vocabulary, not means: all numbers of up to three digits are tokens, 128 spaces are one, and so on. */
const KNOWN = { digits: 100, whiteSpace: 100, repeatedMark: 2, repeatedSpace: 1, repeatedTab: 6, repeatedNewline: 6 };
const TRIPLES = 32 ** 3;
const PAIRS = 32 ** 2;
/** Longer stretches without white space are taken as several. */
const LONGEST_STRETCH = 48;
const LEVELS = 9;
/** In hundredths of a token: the limit, positive or negative, for a letter after two others. */
const DEAREST = 160;
const CHEAPEST = -60;

export function fitPrices(texts: readonly TrainingText[], characters: CharacterFit): { prices: PiecePrices; latin: string; latinLevels: number[] } {
  const { numbered, count } = numberedPrices();
  const equations = equationsOf(texts, numbered, count, characters);
  // Ridge weights of both: pairs of letters inform rare triples.
  const ridge = (feature: number): number => (feature < count ? 0.5 : feature < count + TRIPLES ? 4 : 1);
  const solution = leastSquares(equations, count + TRIPLES + PAIRS, ridge);
  const exact = Float64Array.from(
    { length: TRIPLES },
    (_, triple) => 100 * ((solution[count + triple] ?? 0) + (solution[count + TRIPLES + (triple % PAIRS)] ?? 0)),
  );
  const latinLevels = levelsOf(exact, equations, count);
  const levelOf = Array.from(exact, (price) => nearest(latinLevels, price));
  const latin = textOfNumbers(Array.from({ length: TRIPLES / 2 }, (_, index) => (levelOf[2 * index] ?? 0) * LEVELS + (levelOf[2 * index + 1] ?? 0)));
  const pieces = leastSquares(
    withPricedLetters(equations, count, (triple) => (latinLevels[levelOf[triple] ?? 0] ?? 0) / 100),
    count,
    () => 0.5,
  );
  return { prices: { ...mapPrices(numbered, (number) => Math.round(100 * (1 + (pieces[number - 1] ?? 0)))), ...KNOWN }, latin, latinLevels };
}

/** Returns prices that are all different: numbers from one on. */
function numberedPrices(): { numbered: PiecePrices; count: number } {
  let count = 0;
  const numbers = (length: number): number[] => Array.from({ length }, () => ++count);
  const entries = <K extends string, V>(keys: readonly K[], value: () => V): Record<K, V> =>
    Object.fromEntries(keys.map((key) => [key, value()])) as Record<K, V>;
  const numbered: PiecePrices = {
    words: entries(LEADS, () => entries(SHAPES, () => numbers(LONGEST_WORD))),
    marks: entries(["bare", "spaced"], () => numbers(MOST_MARKS)),
    ...mapRecord(KNOWN, () => 0),
  };
  return { numbered, count };
}

function mapPrices(numbered: PiecePrices, price: (number: number) => number): Pick<PiecePrices, "words" | "marks"> {
  return {
    words: mapRecord(numbered.words, (shapes) => mapRecord(shapes, (row) => row.map(price))),
    marks: mapRecord(numbered.marks, (row) => row.map(price)),
  };
}

function mapRecord<K extends string, V, W>(record: Readonly<Record<K, V>>, change: (value: V) => W): Record<K, W> {
  return Object.fromEntries(Object.entries<V>(record).map(([key, value]) => [key, change(value)])) as Record<K, W>;
}

/** Returns an equation for each stretch of only Latin characters: its pieces and letters on one side, its tokens on the other. */
function equationsOf(texts: readonly TrainingText[], numbered: PiecePrices, count: number, characters: CharacterFit): Equations {
  const fitted: FittedCharacters = { ...characters, latin: "", latinLevels: [0] };
  const table = characterTable(fitted);
  const machine = buildPieceMachine(numbered);
  const known = buildPieceMachine({ ...mapPrices(numbered, () => 0), ...KNOWN });
  const equations: Equations = { features: [], starts: [0], values: [], weights: [] };
  for (const { text, weight } of texts) {
    const starts = tokenStarts(text);
    let [row, letters, from, tokens, isLatin] = [NOTHING, 0, 0, 0, true];
    let features: number[] = [];
    for (let at = 0; at <= text.length; at++) {
      const character = at < text.length ? (table[text.charCodeAt(at)] ?? 0) : 0;
      const kind = at < text.length ? character & CLASS_MASK : END;
      const number = machine.cost[row + kind] ?? 0;
      // What is expected of every piece is one token; the equations are about the rest.
      if (number > 0) {
        features.push(number - 1);
        tokens -= 1;
      }
      tokens -= (known.cost[row + kind] ?? 0) / 100;
      letters = ((letters << 5) | (at < text.length ? (character >>> LETTER_SHIFT) & LETTER_MASK : 0)) & (TRIPLES - 1);
      if (kind !== CHARACTER && letters !== 0) features.push(count + letters, count + TRIPLES + (letters & (PAIRS - 1)));
      if (kind === CHARACTER) isLatin = false;
      const isBorder = /\s/.test(text[at] ?? " ") && !/\s/.test(text[at - 1] ?? " ");
      if (at === text.length || isBorder || (at - from > LONGEST_STRETCH && number > 0)) {
        if (isLatin && at > from && features.length > 0) addEquation(equations, features, tokens, weight);
        [from, tokens, isLatin, features] = [at, 0, kind !== CHARACTER, []];
      }
      tokens += starts[at] ?? 0;
      row = machine.next[row + kind] ?? 0;
    }
  }
  return equations;
}

function addEquation(equations: Equations, features: readonly number[], tokens: number, weight: number): void {
  equations.features.push(...features);
  equations.starts.push(equations.features.length);
  equations.values.push(tokens);
  // Longer stretches have larger errors.
  equations.weights.push(weight / (1 + features.length / 10));
}

/** Returns the same equations with known costs of letters. */
function withPricedLetters(equations: Equations, count: number, price: (triple: number) => number): Equations {
  const priced: Equations = { features: [], starts: [0], values: [], weights: equations.weights };
  for (const [index, value] of equations.values.entries()) {
    let rest = value;
    for (let at = equations.starts[index] ?? 0; at < (equations.starts[index + 1] ?? 0); at++) {
      const feature = equations.features[at] ?? 0;
      if (feature < count) priced.features.push(feature);
      else if (feature < count + TRIPLES) rest -= price(feature - count);
    }
    priced.starts.push(priced.features.length);
    priced.values.push(rest);
  }
  return priced;
}

/** Returns the few prices that are nearest to all, with each triple weighted by its frequency (Lloyd's algorithm). */
function levelsOf(prices: Float64Array, equations: Equations, count: number): number[] {
  const uses = new Float64Array(TRIPLES).fill(1);
  for (const feature of equations.features)
    if (feature >= count && feature < count + TRIPLES) uses[feature - count] = Math.min(2_000, (uses[feature - count] ?? 0) + 1);
  uses[0] = 0;
  let levels = Array.from({ length: LEVELS }, (_, index) => CHEAPEST + ((DEAREST - CHEAPEST) * index) / (LEVELS - 1));
  for (let pass = 0; pass < 40; pass++) {
    const sums = levels.map(() => [0, 0] as [number, number]);
    for (const [triple, price] of prices.entries()) {
      const sum = sums[nearest(levels, price)];
      if (sum === undefined) continue;
      sum[0] += (uses[triple] ?? 0) * Math.min(DEAREST, Math.max(CHEAPEST, price));
      sum[1] += uses[triple] ?? 0;
    }
    levels = sums.map(([sum, weight], index) => (weight > 0 ? sum / weight : (levels[index] ?? 0)));
  }
  // One level must be zero, for letters that were never seen and for no letters.
  const rounded = levels.map((level) => Math.round(level));
  rounded[nearest(rounded, 0)] = 0;
  return rounded;
}

function nearest(levels: readonly number[], price: number): number {
  let best = 0;
  for (const [index, level] of levels.entries()) if (Math.abs(level - price) < Math.abs((levels[best] ?? 0) - price)) best = index;
  return best;
}
