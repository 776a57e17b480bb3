/**
 * The parts of a text that are shown or cut, in order: lines, records, pieces of what is too long to be one. As columns, because a text
 * may have a hundred thousand of them. A part ends where the next one begins.
 */
export interface Parts {
  readonly text: string;
  readonly starts: readonly number[];
  /** What the words of each are worth. */
  readonly worths: readonly number[];
  nounOf(part: number): Noun;
  /** How many of its noun one is. */
  countOf(part: number): number;
  /** The part that one has to be shown with, or `NO_HEADING`. */
  headingOf(part: number): number;
}

/** What parts are counted as, where a gap says what it lacks. */
export type Noun = "line" | "record" | "field" | "value" | "character";

/** Instead of the part that heads another. */
export const NO_HEADING = -1;

/** The limit of a chain of headings: what lies deeper is shown with the deepest of these. */
export const MOST_HEADINGS = 8;
