/** What is known of a conversation, asked for one of its texts, from its start to its end. */
export interface Familiarity {
  /** How a word stands to the conversation: see `word-worths.ts`. It counts as one of this text from then on. */
  standingOf(word: number): number;
  /** The lines of the text, if their words are known already. */
  readonly lines: FamiliarLines | undefined;
}

/** Instead of reading the words of each line again. */
export interface FamiliarLines {
  /** What the words of a line are worth, or `NO_WORDS`. They count as words of this text from then on. */
  worthOf(line: number): number;
}

export const NO_WORDS = -1;
