import type { Noun } from "./unit.ts";

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
