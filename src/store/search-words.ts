import { hexOf } from "./stored-text.ts";

/**
 * The words of a content are stored as one text, separated by blanks, and a search scans those of its own branch, so that it does not
 * slow down as threads are added. Why there is no index of words: docs/decisions/0011-search-without-a-text-index.md.
 */

/** A word of a query, in its stored form. */
export interface QueryWord {
  readonly stored: string;
  readonly isPrefix: boolean;
}

/** Nobody searches for longer words, and anything longer is data. */
const MAX_CHARACTERS = 200;

/** A private-use character, which occurs in no word of a language. */
const ESCAPE = "\ue000";
const UNSAFE = /[^a-z0-9_.\u002d\u0080-\ud7ff\ue001-\u{10ffff}]/gu;

/** Returns words in a form that never needs quotes: no blanks, and no punctuation but `_`, `-` and `.`. */
export function storedWords(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.filter((word) => word !== "").map(storedWord));
}

/** Parses the words of a query. An empty word and a lone `*` match everything, so they are left out. */
export function queryWords(words: readonly string[]): QueryWord[] {
  return words
    .map((word) => ({ isPrefix: word.endsWith("*"), text: word.endsWith("*") ? word.slice(0, -1) : word }))
    .filter(({ text }) => text !== "")
    .map(({ isPrefix, text }) => ({ stored: storedWord(text), isPrefix }));
}

/** Undefined: there are none. */
export function wordsText(words: readonly string[]): string | undefined {
  const stored = storedWords(words);
  return stored.size === 0 ? undefined : ` ${[...stored].join(" ")} `;
}

/** Returns the substring to look for in the text of words. */
export function wordPattern({ stored, isPrefix }: QueryWord): string {
  return isPrefix ? ` ${stored}` : ` ${stored} `;
}

function storedWord(word: string): string {
  const short = word.length <= MAX_CHARACTERS ? word : Array.from(word).slice(0, MAX_CHARACTERS).join("");
  return short.replace(UNSAFE, (character) => ESCAPE + hexOf(character));
}
