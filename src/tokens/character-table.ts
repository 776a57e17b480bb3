import { CHARACTER, DIGIT, FUSED_MARK, LOWER, MARK, NEWLINE, RULE_MARK, SPACE, TAB, UPPER } from "./character-classes.ts";
import { numbersOf } from "./fitted-text.ts";
import type { FittedCharacters } from "./fitted-table.ts";
import { BLOCKS, FIRST_RUN_LETTER, PAGES, pageNumber, OTHERS, PAGE_SHIFT, RUNS, SCRIPT_PAGES, type ByTokens, type PageName, type ScriptName } from "./pages.ts";

export const CLASS_MASK = 31;
export const LETTER_SHIFT = 5;
export const LETTER_MASK = 31;
export const PAGE_MASK: number = 127 << PAGE_SHIFT;
/** Shifted right by this, the flag of Latin characters becomes a mask for the letter before the last. */
export const LATIN_SHIFT = 7;
export const IS_LATIN: number = 31 << (PAGE_SHIFT + LATIN_SHIFT);

// Letters of the Latin page after a to z. Accented ones share letters by how well o200k knows them.
const ACCENTED_VOWEL = 27;
const VIETNAMESE = 28;
const OTHER_LATIN = 29;
const RARE_LATIN = 30;
const COMBINING = 31;
const ASCII_END = 0x80;
/** Letters that share words with those of ASCII, and the marks that are put on them. */
const LATIN_RANGES: readonly (readonly [first: number, last: number])[] = [
  [0xc0, 0x2af],
  [0x300, 0x36f],
  [0x1e00, 0x1eff],
];

// First halves of surrogate pairs: D83C, D83D and D83E are emoji, D835 is mathematical letters.
const OWN_HIGHS: readonly number[] = [0xd83c, 0xd83d, 0xd83e, 0xd835];

/**
 * What the estimate knows about every UTF-16 code unit, packed into one number, because one lookup per character is what makes it fast:
 * the class for the piece machine; the letter, which determines the cost together with the letters before it; the page of the price
 * table; and whether that page uses two letters before it, as the Latin one does, or one.
 */
export function characterTable(fitted: FittedCharacters): Int32Array {
  const table = new Int32Array(0x10000);
  const set = (unit: number, page: PageName, letter: number): void => {
    table[unit] = entryOf(page, letter);
  };
  const tokens = tokensByCharacter(fitted);
  const fill = (first: number, last: number, pages: ByTokens): void => {
    const entries = pages.map((page) => entryOf(page, PAGES[page].firstLetter));
    for (let unit = first; unit <= last; unit++) table[unit] = entries[(tokens[unit] ?? 1) - 1] ?? 0;
  };
  fill(0, 0xffff, OTHERS);
  for (const [first, last, pages] of BLOCKS) fill(first, last, pages);
  for (const [name, { first }] of Object.entries(SCRIPT_PAGES) as [ScriptName, { first: number }][]) {
    for (const [index, letter] of numbersOf(fitted.letters[name]).entries()) set(first + index, name, letter);
  }
  for (const [index, characters] of RUNS.entries()) {
    for (const character of characters) set(character.charCodeAt(0), "symbol1", FIRST_RUN_LETTER + index);
  }
  const isCheap = (high: number): boolean => fitted.cheapHighs.some(([first, last]) => high >= first && high <= last);
  for (let index = 0; index < 0x400; index++) {
    const own = OWN_HIGHS.indexOf(0xd800 + index);
    const letter = own >= 0 ? own : OWN_HIGHS.length + (isCheap(0xd800 + index) ? 0 : 1);
    set(0xd800 + index, "high", PAGES.high.firstLetter + letter);
    set(0xdc00 + index, "low", PAGES.low.firstLetter + (index >> 6));
  }
  addLatin(table, tokens);
  return table;
}

function entryOf(page: PageName, letter: number): number {
  return CHARACTER | (letter << LETTER_SHIFT) | (pageNumber(page) << PAGE_SHIFT);
}

/** Counts the tokens of each character alone. A character that is not a token is split into bytes, of which o200k joins the first two or none. */
function tokensByCharacter({ singles, tripleBlocks }: FittedCharacters): Uint8Array {
  const tokens = new Uint8Array(0x10000).fill(2);
  for (const [first, last] of tripleBlocks) tokens.fill(3, first * 64, (last + 1) * 64);
  tokens.fill(1, 0, ASCII_END);
  let unit = ASCII_END - 1;
  for (const gap of numbersOf(singles)) {
    unit += Math.min(gap + 1, 90);
    if (gap < 90) tokens[unit] = 1;
  }
  return tokens;
}

/** Adds ASCII, letters that share words with it, and marks that tokens treat like ASCII ones: all that is priced by two letters before. */
function addLatin(table: Int32Array, tokens: Uint8Array): void {
  const set = (unit: number, kind: number, letter = 0): void => {
    table[unit] = kind | (letter << LETTER_SHIFT) | IS_LATIN;
  };
  const setAll = (kind: number, characters: string): void => {
    for (const character of characters) set(character.charCodeAt(0), kind);
  };
  for (let unit = 0x21; unit <= 0x7e; unit++) set(unit, MARK);
  for (let unit = 0xa0; unit <= 0xbf; unit++) set(unit, MARK);
  for (let unit = 0x2000; unit <= 0x21ff; unit++) if (tokens[unit] === 1 && unit !== 0x200d) set(unit, MARK);
  setAll(MARK, "\u001b×÷");
  setAll(FUSED_MARK, "._(");
  setAll(RULE_MARK, "=-*#~+/");
  setAll(SPACE, " ");
  setAll(TAB, "\t\v\f");
  setAll(NEWLINE, "\r\n");
  setAll(DIGIT, "0123456789");
  for (let letter = 1; letter <= 26; letter++) {
    set(0x40 + letter, UPPER, letter);
    set(0x60 + letter, LOWER, letter);
  }
  for (const [first, last] of LATIN_RANGES) {
    for (let unit = first; unit <= last; unit++) {
      const character = String.fromCharCode(unit);
      if (character === "×" || character === "÷") continue;
      set(unit, character.toLowerCase() === character ? LOWER : UPPER, latinLetter(character.toLowerCase(), tokens[unit] ?? 2));
    }
  }
}

function latinLetter(character: string, tokens: number): number {
  const unit = character.charCodeAt(0);
  if (unit >= 0x300 && unit <= 0x36f) return COMBINING;
  if (unit >= 0x1ea0 || "ăđơư".includes(character)) return VIETNAMESE;
  if ("áàâãäåéèêëíìîïóòôõöúùûüýÿ".includes(character)) return ACCENTED_VOWEL;
  return tokens === 1 ? OTHER_LATIN : RARE_LATIN;
}
