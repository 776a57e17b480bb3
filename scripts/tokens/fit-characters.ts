/** Fits the cost of characters that are priced separately, from the vocabulary and from training texts. */
import { characterTable, CLASS_MASK, LETTER_MASK, LETTER_SHIFT, PAGE_MASK } from "../../src/tokens/character-table.ts";
import { CHARACTER } from "../../src/tokens/character-classes.ts";
import { textOfNumbers } from "../../src/tokens/fitted-text.ts";
import type { FittedCharacters } from "../../src/tokens/fitted-table.ts";
import { numberOfPrice } from "../../src/tokens/letter-prices.ts";
import {
  LETTER_COUNT,
  PAGE_NAMES,
  PAGE_SHIFT,
  pageNumber,
  PAGES,
  SCRIPT_PAGES,
  type Page,
  type PageName,
  type ScriptName,
  type ScriptPage,
} from "../../src/tokens/pages.ts";
import { countO200k, tokenStarts } from "./o200k.ts";
import { sortIntoLetters, type Pair } from "./sort-into-letters.ts";
import type { TrainingText } from "./training-texts.ts";

/** Random characters of a script count as much as this share of the languages' own. */
const RANDOM_SHARE = 0.08;
/** The tokens of sentences relative to names with the same letters, in scripts that o200k has words of. */
const SENTENCES_TO_NAMES = 0.78;
/** The weight, in characters, with which a price is pulled towards the mean price of its letter. */
const PRIOR_CHARACTERS = 0.5;
/** Lone surrogates become the replacement character, of which tokens hold up to eight. */
const LONE_SURROGATE = 0.12;

export type CharacterFit = Omit<FittedCharacters, "latin" | "latinLevels">;

export function fitCharacters(texts: readonly TrainingText[]): CharacterFit {
  const counted = texts.filter(({ text }) => /[^\0-\x7f]/.test(text)).map((text) => ({ ...text, starts: tokenStarts(text.text) }));
  const vocabulary = vocabularyFacts();
  const letters = Object.fromEntries(
    Object.entries(SCRIPT_PAGES).map(([name, page]) => [name, textOfNumbers(sortIntoLetters(pairsOf(counted, page), page))]),
  ) as Record<ScriptName, string>;
  const table = characterTable({ ...vocabulary, letters, prices: emptyPrices(), latin: "", latinLevels: [0] });
  return { ...vocabulary, letters, prices: fitPagePrices(counted, table) };
}

type Counted = TrainingText & { readonly starts: Uint8Array };

function vocabularyFacts(): Pick<FittedCharacters, "singles" | "tripleBlocks" | "cheapHighs"> {
  const gaps: number[] = [];
  const triples: number[] = [];
  let last = 0x7f;
  for (let unit = 0x80; unit < 0x10000; unit++) {
    if (unit >= 0xd800 && unit < 0xe000) continue;
    if (countO200k(String.fromCharCode(unit)) !== 1) continue;
    while (unit - last > 90) {
      gaps.push(90);
      last += 90;
    }
    gaps.push(unit - last - 1);
    last = unit;
  }
  for (let block = 0x800 / 64; block < 0x10000 / 64; block++) {
    if (block >= 0xd800 / 64 && block < 0xe000 / 64) continue;
    const counts = Array.from({ length: 64 }, (_, index) => countO200k(String.fromCharCode(block * 64 + index)));
    if (counts.filter((count) => count === 3).length > 32) triples.push(block);
  }
  const highs = Array.from({ length: 0x400 }, (_, index) => index).filter((index) => {
    const counts = Array.from({ length: 64 }, (_, part) => countO200k(String.fromCodePoint(0x10000 + index * 0x400 + part * 16)));
    return counts.reduce((sum, count) => sum + count, 0) < 64 * 3.4;
  });
  return { singles: textOfNumbers(gaps), tripleBlocks: ranges(triples), cheapHighs: ranges(highs.map((index) => 0xd800 + index)) };
}

function ranges(numbers: readonly number[]): [number, number][] {
  const found: [number, number][] = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found;
}

/**
 * Counts the tokens that begin at a character, and at the space before it, which is not charged separately. In a surrogate pair, the
 * second half is charged for the character, and the first for what a space adds to it.
 */
function tokensAt({ text, starts, kind }: Counted, at: number, hasWords: boolean): number {
  const unit = text.charCodeAt(at);
  const from = isBetween(unit, 0xdc00, 0xdfff) ? at - 1 : at;
  const isSpaced = text[from - 1] === " ";
  const tokens = (starts[from] ?? 0) + (isSpaced ? (starts[from - 1] ?? 0) : 0);
  if (isBetween(unit, 0xd800, 0xdfff)) {
    const alone = isSpaced ? countO200k(String.fromCodePoint(text.codePointAt(from) ?? 0)) : tokens;
    return from === at ? tokens - alone : alone;
  }
  return kind === "names" && hasWords ? tokens * SENTENCES_TO_NAMES : tokens;
}

function isBetween(unit: number, first: number, last: number): boolean {
  return unit >= first && unit <= last;
}

/** Returns pairs of consecutive characters of a script, as indices in its page; -1 for any other previous character. */
function pairsOf(texts: readonly Counted[], page: ScriptPage): Pair[] {
  const pairs: (Pair & { readonly isRandom: boolean })[] = [];
  const isOfPage = (unit: number): boolean => isBetween(unit, page.first, page.last);
  const sizes = { random: 0, real: 0 };
  for (const counted of texts) {
    const isRandom = counted.kind === "random";
    for (let at = 0; at < counted.text.length; at++) {
      const unit = counted.text.charCodeAt(at);
      if (!isOfPage(unit)) continue;
      const before = at > 0 ? counted.text.charCodeAt(at - 1) : 0;
      const tokens = tokensAt(counted, at, hasWords(page));
      pairs.push({ before: isOfPage(before) ? before - page.first : -1, index: unit - page.first, tokens, weight: counted.weight, isRandom });
      sizes[isRandom ? "random" : "real"] += counted.weight;
    }
  }
  const ofRandom = sizes.real === 0 ? 1 : (RANDOM_SHARE * sizes.real) / sizes.random;
  return pairs.map((pair) => (pair.isRandom ? { ...pair, weight: pair.weight * ofRandom } : pair));
}

function hasWords({ letters, firstLetter }: Page): boolean {
  return firstLetter === 1 && letters > 9;
}

interface Cell {
  count: number;
  tokens: number;
}

function fitPagePrices(texts: readonly Counted[], table: Int32Array): Record<PageName, string> {
  const pagesWithWords = new Set(PAGE_NAMES.filter((name) => hasWords(PAGES[name])).map((name) => pageNumber(name) << PAGE_SHIFT));
  const cells = { random: new Map<number, Cell>(), real: new Map<number, Cell>() };
  for (const counted of texts) {
    let before = 0;
    for (let at = 0; at < counted.text.length; at++) {
      const character = table[counted.text.charCodeAt(at)] ?? 0;
      const letter = (character >>> LETTER_SHIFT) & LETTER_MASK;
      if ((character & CLASS_MASK) === CHARACTER) {
        const key = (character & PAGE_MASK) + before * LETTER_COUNT + letter;
        const ofKind = cells[counted.kind === "random" ? "random" : "real"];
        const cell = ofKind.get(key) ?? { count: 0, tokens: 0 };
        cell.count += counted.weight;
        cell.tokens += counted.weight * tokensAt(counted, at, pagesWithWords.has(character & PAGE_MASK));
        ofKind.set(key, cell);
      }
      before = letter;
    }
  }
  return Object.fromEntries(PAGE_NAMES.map((name) => [name, textOfNumbers(pricesOfPage(name, cells))])) as Record<PageName, string>;
}

function pricesOfPage(name: PageName, { random, real }: Readonly<Record<"random" | "real", ReadonlyMap<number, Cell>>>): number[] {
  const { firstLetter, letters } = PAGES[name];
  const base = pageNumber(name) << PAGE_SHIFT;
  const keyOf = (before: number, letter: number): number => base + before * LETTER_COUNT + firstLetter + letter;
  const all = Array.from({ length: LETTER_COUNT * letters }, (_, index) => keyOf(Math.floor(index / letters), index % letters));
  const countIn = (cells: ReadonlyMap<number, Cell>): number => all.reduce((sum, key) => sum + (cells.get(key)?.count ?? 0), 0);
  const share = name in SCRIPT_PAGES && countIn(real) > 0 ? (RANDOM_SHARE * countIn(real)) / Math.max(1, countIn(random)) : 1;
  const cellAt = (key: number): Cell => ({
    count: (real.get(key)?.count ?? 0) + share * (random.get(key)?.count ?? 0),
    tokens: (real.get(key)?.tokens ?? 0) + share * (random.get(key)?.tokens ?? 0),
  });
  const sumOf = (keys: readonly number[]): Cell =>
    keys.map(cellAt).reduce((sum, cell) => ({ count: sum.count + cell.count, tokens: sum.tokens + cell.tokens }), { count: 0, tokens: 0 });
  const page = sumOf(all);
  const ofLetter = Array.from({ length: letters }, (_, letter) => {
    const sum = sumOf(Array.from({ length: LETTER_COUNT }, (__, before) => keyOf(before, letter)));
    return (sum.tokens + page.tokens / Math.max(1, page.count)) / (sum.count + 1);
  });
  const prices = all.map((key, index) => {
    const { count, tokens } = cellAt(key);
    // What follows a first half is no second one here.
    if (name === "high" && Math.floor(index / letters) >= firstLetter) return LONE_SURROGATE;
    return (tokens + PRIOR_CHARACTERS * (ofLetter[index % letters] ?? 0)) / (count + PRIOR_CHARACTERS);
  });
  const isUsed = (row: number): boolean => name === "high" || all.slice(row * letters, (row + 1) * letters).some((key) => cellAt(key).count > 0);
  const rows = Array.from({ length: LETTER_COUNT }, (_, row) => row).findLast(isUsed) ?? 0;
  return prices.slice(0, (rows + 1) * letters).map((price) => Math.min(90, numberOfPrice(Math.max(0, 100 * price))));
}

function emptyPrices(): Record<PageName, string> {
  return Object.fromEntries(PAGE_NAMES.map((name) => [name, ""])) as Record<PageName, string>;
}
