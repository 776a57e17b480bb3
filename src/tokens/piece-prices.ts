import type { Lead, Shape } from "./open-pieces.ts";

/** How many tokens a piece takes on average, in hundredths. */
export interface PiecePrices {
  /** By length, from one letter on. */
  readonly words: Readonly<Record<Lead, Readonly<Record<Shape, readonly number[]>>>>;
  /** By their number, from one on; after nothing or after a space. */
  readonly marks: Readonly<Record<"bare" | "spaced", readonly number[]>>;
  /** Up to three of them. */
  readonly digits: number;
  readonly whiteSpace: number;
  // What a character adds to a piece of its like.
  readonly repeatedMark: number;
  readonly repeatedSpace: number;
  readonly repeatedTab: number;
  readonly repeatedNewline: number;
}
