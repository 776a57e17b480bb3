import type { ResultHints } from "../content/calls/result-hints.ts";
import type { Place } from "../messages/place.ts";

/**
 * Something in the log that can be shown shorter: a tool's result, the input of a call, or an image from the user. Its content never
 * changes; its use and the form it is shown in do.
 */
export interface Piece {
  readonly number: number;
  readonly kind: "result" | "input" | "media";
  readonly at: Place;
  /** The place of the call: the same as `at` for an input. */
  readonly callAt: Place;
  readonly callId: string;
  readonly tool: string;
  /** Tokens in the log. */
  readonly tokens: number;
  readonly isError: boolean;
  /** Errors, diffs and non-text: no line of it is cut. */
  readonly isWhole: boolean;
  /** Tokens of the images and documents in it. */
  readonly media: number;
  /** How many turns of the assistant used a word unique enough to identify it, or began with a user message that did. */
  uses: number;
  /** The last such turn, counted from 1; 0: none. */
  usedAt: number;
  /** A later result that repeats it, or has its current state. */
  supersededBy: Piece | undefined;
  /** Part of it is not shown, for any reason. Tidying does not count, as it loses nothing. */
  isCut: boolean;
  /** It is shown as a note that a later result repeats it. */
  isDuplicate: boolean;
  /** What its call tells about it. Undefined: not needed so far. */
  call: ResultHints | undefined;
  level: Level;
  shownTokens: number;
}

/** Returns the newest result that repeats the piece or has its current state, or else the piece itself. Shortens the chain, so that the next lookup is fast. */
export function newestOf(piece: Piece): Piece {
  let newest = piece;
  while (newest.supersededBy !== undefined) newest = newest.supersededBy;
  for (let older = piece; older.supersededBy !== undefined && older.supersededBy !== newest;) {
    const next: Piece = older.supersededBy;
    older.supersededBy = newest;
    older = next;
  }
  return newest;
}

/** 0: as it was first shown; 1: its most telling lines; 2: one line. */
export type Level = 0 | 1 | 2;
export const FULL = 0;
export const SKELETON = 1;
export const STUB = 2;
