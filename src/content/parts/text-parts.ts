/**
 * The parts of a text that can be shown or cut, in order: lines, records, and pieces of overlong ones. Stored as columns, because a
 * text may have a hundred thousand parts. A part ends where the next one begins.
 */
export interface Parts {
  readonly text: string;
  readonly starts: readonly number[];
  /** The worth of each part's words. */
  readonly worths: readonly number[];
  nounOf(part: number): Noun;
  /** Returns how many units of its noun a part is. */
  countOf(part: number): number;
  /** Returns the part that must be shown with this one, or `NO_HEADING`. */
  headingOf(part: number): number;
}

/** The units in which a gap says what was cut. */
export type Noun = "line" | "record" | "field" | "value" | "character";

/** The heading of a part that has none. */
export const NO_HEADING = -1;

/** The longest chain of headings; deeper parts are shown with the deepest of these. */
export const MOST_HEADINGS = 8;
