/**
 * Fits the prices of pieces: the price of a kind of piece is the mean number of o200k tokens that begin in such pieces of the training
 * texts. The machine itself says where pieces end: with numbers instead of prices, what it pays names the kind.
 */
import { CLASS_OF, END, SCRIPTS } from "../../src/tokens/character-classes.ts";
import { buildPieceMachine } from "../../src/tokens/build-piece-machine.ts";
import { LEADS, LONGEST_WORD, MOST_MARKS, NOTHING, SHAPES } from "../../src/tokens/open-pieces.ts";
import type { PieceMachine } from "../../src/tokens/piece-machine.ts";
import type { PiecePrices } from "../../src/tokens/piece-prices.ts";
import { tokenStarts } from "./o200k.ts";
import type { TrainingText } from "./training-texts.ts";

/** Facts of the vocabulary, not means: all numbers of up to three digits are tokens, 128 spaces are one, and so on. */
const KNOWN = { digits: 100, whiteSpace: 100, repeatedMark: 2, repeatedSpace: 1, repeatedTab: 6, repeatedNewline: 6 };
/** A price needs so many pieces; where there are fewer, pieces of neighbouring lengths are added. */
const LEAST_PIECES = 50;

interface Tally {
  pieces: number;
  tokens: number;
}

export function fitPrices(texts: readonly TrainingText[]): PiecePrices {
  const { numbered, kinds } = numberedPrices();
  const tallies = tally(texts, buildPieceMachine(numbered), kinds);
  const mean = (number: number): number => Math.round((100 * (tallies[number]?.tokens ?? 0)) / Math.max(1, tallies[number]?.pieces ?? 0));
  const isRare = (number: number): boolean => (tallies[number]?.pieces ?? 0) < LEAST_PIECES;
  const meanByLength = (row: readonly number[]): number[] =>
    row.map((_, index) =>
      meanAround(
        row.map((number) => tallies[number]),
        index,
      ),
    );
  const prices: PiecePrices = {
    words: mapValues(numbered.words, (shapes) => mapValues(shapes, meanByLength)),
    marks: mapValues(numbered.marks, meanByLength),
    scripts: mapValues(numbered.scripts, ([first, further]) => [mean(first), isRare(further) ? mean(first) : mean(further)] as const),
    ...KNOWN,
  };
  return { ...prices, scripts: { ...prices.scripts, accented: accentedPrice(prices, texts) } };
}

type Kind = "word" | "script";

/** Prices that are all different: numbers from one on, and for each what kind of piece it is the price of. */
function numberedPrices(): { numbered: PiecePrices; kinds: readonly (Kind | undefined)[] } {
  const kinds: (Kind | undefined)[] = [undefined];
  const numbers = (count: number, kind: Kind): number[] => Array.from({ length: count }, () => kinds.push(kind) - 1);
  const entries = <K extends string, V>(keys: readonly K[], value: () => V): Record<K, V> =>
    Object.fromEntries(keys.map((key) => [key, value()])) as Record<K, V>;
  const numbered: PiecePrices = {
    words: entries(LEADS, () => entries(SHAPES, () => numbers(LONGEST_WORD, "word"))),
    marks: entries(["bare", "spaced"], () => numbers(MOST_MARKS, "word")),
    scripts: entries(SCRIPTS, () => [kinds.push("script") - 1, kinds.push("script") - 1] as const),
    digits: kinds.push("word") - 1,
    whiteSpace: kinds.push("word") - 1,
    // A repetition ends no piece, so nothing is paid for it here.
    repeatedMark: 0,
    repeatedSpace: 0,
    repeatedTab: 0,
    repeatedNewline: 0,
  };
  return { numbered, kinds };
}

function tally(texts: readonly TrainingText[], machine: PieceMachine, kinds: readonly (Kind | undefined)[]): Tally[] {
  const tallies = kinds.map((): Tally => ({ pieces: 0, tokens: 0 }));
  for (const { text, wordWeight, scriptWeight } of texts) {
    const starts = tokenStarts(text);
    for (const { number, from, to } of piecesOf(text, machine)) {
      const weight = kinds[number] === "script" ? scriptWeight : wordWeight;
      const entry = tallies[number];
      if (entry === undefined) throw new RangeError(`a piece with the number ${number}`);
      entry.pieces += weight;
      entry.tokens += weight * starts.subarray(from, to).reduce((sum, tokens) => sum + tokens, 0);
    }
  }
  return tallies;
}

function* piecesOf(text: string, machine: PieceMachine): Generator<{ number: number; from: number; to: number }> {
  let row = NOTHING;
  let from = 0;
  for (let to = 0; to <= text.length; to++) {
    const step = row + (to < text.length ? (CLASS_OF[text.charCodeAt(to)] ?? 0) : END);
    const number = machine.cost[step] ?? 0;
    if (number > 0) {
      yield { number, from, to };
      from = to;
    }
    row = machine.next[step] ?? 0;
  }
}

/** In the prices of the machine. */
function costOf(text: string, machine: PieceMachine): number {
  let sum = 0;
  for (const { number } of piecesOf(text, machine)) sum += number;
  return sum;
}

function meanAround(row: readonly (Tally | undefined)[], index: number): number {
  let [pieces, tokens] = [0, 0];
  for (let distance = 0; pieces < LEAST_PIECES && distance < row.length; distance++) {
    for (const at of distance === 0 ? [index] : [index - distance, index + distance]) {
      pieces += row[at]?.pieces ?? 0;
      tokens += row[at]?.tokens ?? 0;
    }
  }
  return Math.round((100 * tokens) / pieces);
}

/** Words of other languages take more tokens than the same letters in English. Their accents give them away, so these carry the difference. */
function accentedPrice(prices: PiecePrices, texts: readonly TrainingText[]): readonly [first: number, further: number] {
  const foreign = texts.filter(({ isForeign }) => isForeign);
  const costWith = (first: number): number => {
    const machine = buildPieceMachine({ ...prices, scripts: { ...prices.scripts, accented: [first, prices.scripts.accented[1]] } });
    return foreign.reduce((sum, { text }) => sum + costOf(text, machine), 0);
  };
  const tokens = foreign.reduce((sum, { text }) => sum + tokenStarts(text).reduce((total, count) => total + count, 0), 0);
  const free = costWith(0);
  const first = (100 * tokens - free) / ((costWith(100) - free) / 100);
  return [Math.round(first), prices.scripts.accented[1]];
}

function mapValues<K extends string, V, W>(record: Readonly<Record<K, V>>, change: (value: V) => W): Record<K, W> {
  return Object.fromEntries(Object.entries<V>(record).map(([key, value]) => [key, change(value)])) as Record<K, W>;
}
