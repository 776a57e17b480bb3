import { tokensBetween } from "../tokens/estimate-tokens.ts";

/** What a statement of a gap counts. */
export type Noun = "line" | "record" | "field" | "value" | "character";

/** The smallest part of a text that is shown or cut: a line, a record, or a piece of a line that is too long to be one. */
export interface Unit {
  /** With its line break. */
  readonly text: string;
  /** Of the original, from 1. */
  readonly line: number;
  readonly tokens: number;
  /** How much it is worth keeping by its form alone: 0 for a blank line, about 1 for an error. */
  readonly weight: number;
  /** Index of the unit that it has to be shown with, such as the file of a search hit, or `NO_HEADING`. */
  readonly heading: number;
  readonly noun: Noun;
  /** How many of them it is. */
  readonly count: number;
}

export const NO_HEADING = -1;

/** The limit of a chain of headings: what lies deeper is shown with the deepest of these. */
export const MOST_HEADINGS = 8;

/** What a reader of texts knows of a unit besides its place. */
export interface UnitFacts {
  readonly line: number;
  readonly weight: number;
  readonly heading: number;
}

export function lineUnit(text: string, start: number, end: number, { line, weight, heading }: UnitFacts): Unit {
  return { text: text.slice(start, end), line, tokens: tokensBetween(text, start, end), weight, heading, noun: "line", count: 1 };
}

export function pieceUnit(text: string, start: number, end: number, { line, weight, heading }: UnitFacts): Unit {
  return { text: text.slice(start, end), line, tokens: tokensBetween(text, start, end), weight, heading, noun: "character", count: end - start };
}
