import type { ResultHints } from "../content/calls/result-hints.ts";
import type { Place } from "../messages/place.ts";

/**
 * Something in the log that can be shown shorter: a tool's result, the input of a call, or an image of the user's. What it says never
 * changes; how often it was used, and how it is shown, does.
 */
export interface Piece {
  readonly number: number;
  readonly kind: "result" | "input" | "media";
  readonly at: Place;
  /** Of the call: the same as `at` for an input. */
  readonly callAt: Place;
  readonly callId: string;
  readonly tool: string;
  /** As it is in the log. */
  readonly tokens: number;
  readonly isError: boolean;
  /** Errors, diffs and what is not text: no line of it is cut. */
  readonly isWhole: boolean;
  /** Tokens of the images and documents in it. */
  readonly media: number;
  /** Turns of the assistant that used a word of it that tells it apart, or began with a user who named one. */
  uses: number;
  /** The last such turn, counted from 1; 0: none. */
  usedAt: number;
  /** A later result that has it again, or what it is by now. */
  supersededBy: Piece | undefined;
  /** Some of it is not shown, whatever the reason. What is only tidied is all there. */
  isCut: boolean;
  /** It says only that a later result has it again. */
  isDuplicate: boolean;
  /** What its call says of it. Undefined: nobody has asked. */
  call: ResultHints | undefined;
  level: Level;
  shownTokens: number;
}

/** The newest result that has it again, or what it is by now: the piece itself if there is none. What was read often is found at once the next time. */
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

/** As it came (or as it was taken in), its most telling lines, one line. */
export type Level = 0 | 1 | 2;
export const FULL = 0;
export const SKELETON = 1;
export const STUB = 2;
