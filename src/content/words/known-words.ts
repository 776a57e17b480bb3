/** What is known of a conversation, asked for one of its texts, from its start to its end. */
export interface Familiarity {
  /** How a word stands to the conversation: see `word-worths.ts`. It counts as one of this text from then on. */
  standingOf(word: number): number;
  /** Did a line with these words stand in an earlier text? */
  isKnownLine(hash: number): boolean;
  /** The lines of the text, if their words are known already. */
  readonly lines: FamiliarLines | undefined;
}

/** Instead of reading the words of each line again. */
export interface FamiliarLines {
  /** What the words of a line are worth, or `NO_WORDS`. They count as words of this text from then on. */
  worthOf(line: number): number;
  isKnown(line: number): boolean;
}

export const NO_WORDS = -1;

/** A line with fewer words is never known again. */
export const FEWEST_WORDS = 3;

/** What makes a line the same as another: its words, in their order. */
export function addToHash(hash: number, word: number): number {
  return (Math.imul(hash, 0x85ebca6b) + word) | 0;
}
