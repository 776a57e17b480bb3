import { FUSED_MARK, MARK_CLASSES, SCRIPTS, type Script } from "./character-classes.ts";

/** What may stand before a word; how many tokens the word takes depends on it. */
export type Lead =
  | "nothing"
  | "space"
  /** A mark that tokens often share with the word behind it, or a tab. */
  | "fused"
  | "mark"
  /** Directly behind a letter or a digit, as in camelCase. */
  | "joined"
  /** The same behind several short pieces, as in base64: no token was made for such a word. */
  | "random";

/** `foo`, `Foo`, `FOO`, `FOObar`. */
export type Shape = "lower" | "capital" | "upper" | "mixed";
export const SHAPES: readonly Shape[] = ["lower", "capital", "upper", "mixed"];

/** Longer words, and more marks, are taken as several pieces. */
export const LONGEST_WORD = 14;
export const MOST_MARKS = 8;
/** o200k splits long numbers so. */
export const MOST_DIGITS = 3;

// Where a word or a number starts: behind what, or behind how many short pieces that it is joined to.
export const BEHIND_NOTHING = 0;
export const BEHIND_SPACE = 1;
export const BEHIND_FUSED = 2;
export const BEHIND_MARK = 3;
const BEHIND_PIECES = 4;
const MOST_SHORT_PIECES = 3;
/** By start. */
export const LEADS: readonly Lead[] = ["nothing", "space", "fused", "mark", "joined", "joined", "random", "random"];

/** The start of what is joined to a piece of this length, which itself began at `start`. */
export function startBehind(start: number, length: number): number {
  const shortPieces = Math.max(0, start - BEHIND_PIECES);
  if (length <= 3) return BEHIND_PIECES + Math.min(shortPieces + 1, MOST_SHORT_PIECES);
  return BEHIND_PIECES + (length <= 6 ? shortPieces : 0);
}

// Every piece that can be open at a place of a text has a number. These are the states of the piece machine.
export const NOTHING = 0;
/** White space that belongs to the word or the marks behind it, if such come. */
export const ONE_SPACE = 1;
export const ONE_TAB = 2;
/** The same, behind other white space, which is a piece of its own. */
export const LAST_SPACE = 3;
export const LAST_TAB = 4;
export const NEWLINES = 5;
/** Newlines that belong to the piece before them. */
export const MORE_NEWLINES = 6;
const FIRST_ONE_MARK = 7;
const FIRST_MARKS = FIRST_ONE_MARK + MARK_CLASSES.length;
const FIRST_DIGITS = FIRST_MARKS + 2 * MOST_MARKS * MARK_CLASSES.length;
const FIRST_WORD = FIRST_DIGITS + LEADS.length * MOST_DIGITS;
const FIRST_SCRIPT_PIECE = FIRST_WORD + LEADS.length * SHAPES.length * LONGEST_WORD;
export const PIECE_COUNT: number = FIRST_SCRIPT_PIECE + 2 * SCRIPTS.length;

/** A mark that belongs to the word behind it, if one comes. */
export function oneMark(kind: number): number {
  return FIRST_ONE_MARK + kind - FUSED_MARK;
}

/** Several marks, or marks behind a space. Repetitions are not counted. */
export function marks(isSpaced: boolean, count: number, lastKind: number): number {
  return FIRST_MARKS + ((isSpaced ? MOST_MARKS : 0) + count - 1) * MARK_CLASSES.length + lastKind - FUSED_MARK;
}

export function digits(start: number, count: number): number {
  return FIRST_DIGITS + start * MOST_DIGITS + count - 1;
}

export function word(start: number, shape: Shape, length: number): number {
  return FIRST_WORD + (start * SHAPES.length + SHAPES.indexOf(shape)) * LONGEST_WORD + length - 1;
}

/** One character of a script: each is a piece, and the first of a run has its own price. */
export function scriptCharacter(script: Script, isFirst: boolean): number {
  return FIRST_SCRIPT_PIECE + 2 * SCRIPTS.indexOf(script) + (isFirst ? 0 : 1);
}
