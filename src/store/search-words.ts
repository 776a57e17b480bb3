import { hexOf } from "./stored-text.ts";

/**
 * The words of a content are stored as one text, each between blanks, and a search looks into those of its own branch: that takes no longer
 * the more threads there are. Why there is no index of words: docs/decisions/0011-search-without-a-text-index.md.
 */

/** A word of a query, as it is stored. */
export interface QueryWord {
  readonly stored: string;
  readonly isPrefix: boolean;
}

/** Nobody searches for more of a word, and what is longer is data. */
const MAX_CHARACTERS = 200;

/** A private character, which stands in no word of a language. */
const ESCAPE = "\ue000";
const UNSAFE = /[^a-z0-9_.\u002d\u0080-\ud7ff\ue001-\u{10ffff}]/gu;

/** In a form that needs no quotes anywhere: no blanks, and of the punctuation only `_`, `-` and `.`. */
export function storedWords(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.filter((word) => word !== "").map(storedWord));
}

/** An empty word asks for nothing, and neither does the beginning of any word. */
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

/** What is in the text of words if this word is. */
export function wordPattern({ stored, isPrefix }: QueryWord): string {
  return isPrefix ? ` ${stored}` : ` ${stored} `;
}

function storedWord(word: string): string {
  const short = word.length <= MAX_CHARACTERS ? word : Array.from(word).slice(0, MAX_CHARACTERS).join("");
  return short.replace(UNSAFE, (character) => ESCAPE + hexOf(character));
}
