import { FUSED_MARK, MARK_CLASSES } from "./character-classes.ts";

/** What precedes a word; the number of tokens of the word depends on it. */
export type Lead =
  | "nothing"
  | "space"
  /** A mark that tokens often share with the word after it, or a tab. */
  | "fused"
  | "mark"
  /** Directly after a letter or a digit, as in camelCase. */
  | "joined";
export const LEADS: readonly Lead[] = ["nothing", "space", "fused", "mark", "joined"];

/** `foo`, `Foo`, `FOO`, `FOObar`. */
export type Shape = "lower" | "capital" | "upper" | "mixed";
export const SHAPES: readonly Shape[] = ["lower", "capital", "upper", "mixed"];

/** Longer words, and longer runs of marks, count as several pieces. */
export const LONGEST_WORD = 14;
export const MOST_MARKS = 8;
/** o200k splits numbers into groups of up to three digits. */
export const MOST_DIGITS = 3;

// Every piece that can be open at a position of a text has a number. These are the states of the piece machine.
export const NOTHING = 0;
/** White space that belongs to the word or marks after it, if there are any. */
export const ONE_SPACE = 1;
export const ONE_TAB = 2;
/** The same, after other white space, which is a piece of its own. */
export const LAST_SPACE = 3;
export const LAST_TAB = 4;
export const NEWLINES = 5;
/** Newlines that belong to the piece before them. */
export const MORE_NEWLINES = 6;
/** After a character that is priced by itself. */
export const CHARACTERS = 7;
const FIRST_ONE_MARK = 8;
const FIRST_MARKS = FIRST_ONE_MARK + MARK_CLASSES.length;
const FIRST_DIGITS = FIRST_MARKS + 2 * MOST_MARKS * MARK_CLASSES.length;
const FIRST_WORD = FIRST_DIGITS + MOST_DIGITS;
export const PIECE_COUNT: number = FIRST_WORD + LEADS.length * SHAPES.length * LONGEST_WORD;

/** Returns the state after one mark, which belongs to the word after it, if there is one. */
export function oneMark(kind: number): number {
  return FIRST_ONE_MARK + kind - FUSED_MARK;
}

/** Returns the state after several marks, or after marks that follow a space. Repetitions are not counted. */
export function marks(isSpaced: boolean, count: number, lastKind: number): number {
  return FIRST_MARKS + ((isSpaced ? MOST_MARKS : 0) + count - 1) * MARK_CLASSES.length + lastKind - FUSED_MARK;
}

export function digits(count: number): number {
  return FIRST_DIGITS + count - 1;
}

export function word(lead: Lead, shape: Shape, length: number): number {
  return FIRST_WORD + (LEADS.indexOf(lead) * SHAPES.length + SHAPES.indexOf(shape)) * LONGEST_WORD + length - 1;
}
