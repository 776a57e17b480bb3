/**
 * The pages of the price table: one for each script that o200k has words of, and some for characters of similar cost. A letter is a
 * number from 1 to 31. Characters that share a letter cost about the same in the same places.
 */
export interface Page {
  readonly firstLetter: number;
  /** The number of its letters. */
  readonly letters: number;
}

/** A script whose characters were sorted into letters by how tokens join them. */
export interface ScriptPage extends Page {
  /** The UTF-16 code units, both ends included. */
  readonly first: number;
  readonly last: number;
}

/** For scripts of which o200k has thousands of words, hundreds, and hardly any: the more words, the more letters differ in how they join. */
const MANY = 31;
const SOME = 18;
const FEW = 6;

function script(first: number, last: number, letters: number): ScriptPage {
  return { first, last, firstLetter: 1, letters };
}

export type ScriptName =
  | "greek"
  | "cyrillic"
  | "armenian"
  | "hebrew"
  | "arabic"
  | "devanagari"
  | "bengali"
  | "gurmukhi"
  | "gujarati"
  | "oriya"
  | "tamil"
  | "telugu"
  | "kannada"
  | "malayalam"
  | "sinhala"
  | "thai"
  | "lao"
  | "tibetan"
  | "myanmar"
  | "georgian"
  | "ethiopic"
  | "khmer"
  | "kana";

export const SCRIPT_PAGES: Readonly<Record<ScriptName, ScriptPage>> = {
  greek: script(0x370, 0x3ff, MANY),
  cyrillic: script(0x400, 0x52f, MANY),
  armenian: script(0x530, 0x58f, MANY),
  hebrew: script(0x590, 0x5ff, MANY),
  arabic: script(0x600, 0x6ff, MANY),
  devanagari: script(0x900, 0x97f, MANY),
  bengali: script(0x980, 0x9ff, MANY),
  gurmukhi: script(0xa00, 0xa7f, SOME),
  gujarati: script(0xa80, 0xaff, SOME),
  oriya: script(0xb00, 0xb7f, FEW),
  tamil: script(0xb80, 0xbff, SOME),
  telugu: script(0xc00, 0xc7f, SOME),
  kannada: script(0xc80, 0xcff, SOME),
  malayalam: script(0xd00, 0xd7f, SOME),
  sinhala: script(0xd80, 0xdff, SOME),
  thai: script(0xe00, 0xe7f, SOME),
  lao: script(0xe80, 0xeff, FEW),
  tibetan: script(0xf00, 0xfff, FEW),
  myanmar: script(0x1000, 0x109f, SOME),
  georgian: script(0x10a0, 0x10ff, MANY),
  ethiopic: script(0x1200, 0x139f, FEW),
  khmer: script(0x1780, 0x17ff, SOME),
  // Kana, Han and their marks stand side by side in texts, so no two of them share a letter.
  kana: { first: 0x3041, last: 0x30ff, firstLetter: 9, letters: 20 },
};

/** Pages of characters that take one, two and three tokens alone. */
export type ByTokens = readonly [one: PageName, two: PageName, three: PageName];

type OtherName =
  | "symbol1"
  | "symbol2"
  | "symbol3"
  | "other1"
  | "other2"
  | "other3"
  | "han1"
  | "han2"
  | "han3"
  | "wide1"
  | "wide2"
  | "hangul1"
  | "hangul2"
  | "hangul3"
  | "low"
  | "high";
export type PageName = ScriptName | OtherName;

const OTHER_PAGES: Readonly<Record<OtherName, Page>> = {
  // The number in a name is how many tokens a character takes alone.
  symbol1: { firstLetter: 1, letters: 9 },
  symbol2: { firstLetter: 2, letters: 1 },
  symbol3: { firstLetter: 3, letters: 1 },
  /** Scripts that o200k has no words of. */
  other1: { firstLetter: 1, letters: 1 },
  other2: { firstLetter: 2, letters: 1 },
  other3: { firstLetter: 3, letters: 1 },
  han1: { firstLetter: 1, letters: 1 },
  han2: { firstLetter: 2, letters: 1 },
  han3: { firstLetter: 3, letters: 1 },
  wide1: { firstLetter: 4, letters: 1 },
  wide2: { firstLetter: 5, letters: 1 },
  hangul1: { firstLetter: 6, letters: 1 },
  hangul2: { firstLetter: 7, letters: 1 },
  hangul3: { firstLetter: 8, letters: 1 },
  /** Low surrogates, which are charged for the whole character: a letter for every 64. */
  low: { firstLetter: 10, letters: 16 },
  /** High surrogates: a letter for each block that has emoji, and others grouped by cost. */
  high: { firstLetter: 26, letters: 6 },
};

export const PAGES: Readonly<Record<PageName, Page>> = { ...SCRIPT_PAGES, ...OTHER_PAGES };
export const PAGE_NAMES: readonly PageName[] = Object.keys(PAGES) as PageName[];

/** The number of possible letters before a character; a page has prices for each. */
export const LETTER_COUNT = 32;
/** A page has a price for each pair of letters. */
export const PAGE_SHIFT = 10;
/** Latin letters use the pages before this one, because their prices depend on two letters before them. */
const FIRST_PAGE = 32;
export const PAGE_COUNT: number = FIRST_PAGE + PAGE_NAMES.length;

export function pageNumber(name: PageName): number {
  return FIRST_PAGE + PAGE_NAMES.indexOf(name);
}

export const OTHERS: ByTokens = ["other1", "other2", "other3"];
const SYMBOLS: ByTokens = ["symbol1", "symbol2", "symbol3"];
const HAN: ByTokens = ["han1", "han2", "han3"];
const HANGUL: ByTokens = ["hangul1", "hangul2", "hangul3"];
const WIDE: ByTokens = ["wide1", "wide2", "wide2"];

export const BLOCKS: readonly (readonly [first: number, last: number, pages: ByTokens])[] = [
  [0x2b0, 0x2ff, SYMBOLS],
  [0x2000, 0x2bff, SYMBOLS],
  [0x2e80, 0x2fdf, HAN],
  [0x3000, 0x303f, WIDE],
  [0x3400, 0x4dbf, HAN],
  [0x4e00, 0x9fff, HAN],
  [0xac00, 0xd7a3, HANGUL],
  [0xe000, 0xf8ff, SYMBOLS],
  [0xf900, 0xfaff, HAN],
  [0xfb00, 0xfdff, SYMBOLS],
  [0xfe30, 0xfe4f, WIDE],
  [0xff00, 0xffef, WIDE],
];

/** Symbols that one token repeats, as in `────`, `━━━━`, `████`, `★★★★` and `▄▄`. Each has its own letter, or shares one with similar symbols. */
export const RUNS: readonly string[] = ["─", "━", "═", "█", "□★\ufffd♀", "▬■▄☆⭐⠀"];
export const FIRST_RUN_LETTER = 4;
