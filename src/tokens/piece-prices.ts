import type { Lead, Shape } from "./open-pieces.ts";

/** The average number of tokens of a piece, in hundredths. */
export interface PiecePrices {
  /** By length, starting with one letter. */
  readonly words: Readonly<Record<Lead, Readonly<Record<Shape, readonly number[]>>>>;
  /** By number of marks, starting with one; without and with a space before them. */
  readonly marks: Readonly<Record<"bare" | "spaced", readonly number[]>>;
  /** A group of up to three digits. */
  readonly digits: number;
  readonly whiteSpace: number;
  // The cost of one more character of the same kind.
  readonly repeatedMark: number;
  readonly repeatedSpace: number;
  readonly repeatedTab: number;
  readonly repeatedNewline: number;
}
