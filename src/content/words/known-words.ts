/** What the conversation knows about the words of one text. Queried from the start of the text to its end. */
export interface Familiarity {
  /** Returns the standing of a word in the conversation (see `word-worths.ts`). From then on it counts as a word of this text. */
  standingOf(word: number): number;
  /** The lines of the text, if their words are already known. */
  readonly lines: FamiliarLines | undefined;
}

/** Saves reading the words of each line again. */
export interface FamiliarLines {
  /** Returns the worth of a line's words, or `NO_WORDS`. From then on they count as words of this text. */
  worthOf(line: number): number;
}

export const NO_WORDS = -1;
