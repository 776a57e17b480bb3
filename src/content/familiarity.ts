/** What is known of a conversation, asked for one of its texts, from its start to its end. */
export interface Familiarity {
  /** How a word stands to the conversation: see `word-worths.ts`. It counts as one of this text from then on. */
  standingOf(word: number): number;
  /** Did a line with these words stand in an earlier text? */
  isKnownLine(hash: number): boolean;
}
