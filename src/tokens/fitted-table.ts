import type { PageName, ScriptName } from "./pages.ts";

type Ranges = readonly (readonly [first: number, last: number])[];

/** What the vocabulary of o200k says about characters. Strings encode numbers, as in `fitted-text.ts`. */
export interface FittedCharacters {
  /** The distances between characters that are one token, from U+0080 on. 90 means a step of 90 without such a character. */
  readonly singles: string;
  /** Blocks of 64 code units whose other characters take three tokens and not two. */
  readonly tripleBlocks: Ranges;
  /** High surrogates whose characters take three tokens and not four. */
  readonly cheapHighs: Ranges;
  /** The letter of every character of a script. */
  readonly letters: Readonly<Record<ScriptName, string>>;
  /** The cost of a character, in the form that `priceOf` reads, by the letter before it (starting with none) and by letter of the page. */
  readonly prices: Readonly<Record<PageName, string>>;
  /** What a Latin letter adds to the price of its word, by the two letters before it. Each character encodes two levels. */
  readonly latin: string;
  /** In hundredths of a token. */
  readonly latinLevels: readonly number[];
}
