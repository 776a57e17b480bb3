import type { PageName, ScriptName } from "./pages.ts";

type Ranges = readonly (readonly [first: number, last: number])[];

/** What the vocabulary of o200k says of characters. Texts are numbers, as in `fitted-text.ts`. */
export interface FittedCharacters {
  /** How far each character that is one token lies from the one before, from U+0080 on; 90: that far, and there is none. */
  readonly singles: string;
  /** Blocks of 64 code units whose other characters take three tokens and not two. */
  readonly tripleBlocks: Ranges;
  /** High surrogates whose characters take three tokens and not four. */
  readonly cheapHighs: Ranges;
  /** The letter of every character of a script. */
  readonly letters: Readonly<Record<ScriptName, string>>;
  /** By letter before it, from none on, and then by letter of the page: what a character costs, as `priceOf` reads it. */
  readonly prices: Readonly<Record<PageName, string>>;
  /** What a Latin letter adds to the price of its word, by the two letters before it: two of the levels in a character. */
  readonly latin: string;
  /** In hundredths of a token. */
  readonly latinLevels: readonly number[];
}
