import type { Place } from "../messages/place.ts";

/**
 * Something in the log that can be shown shorter: a tool's result, or the input of a call. What it says never changes; how often it
 * was used, and how it is shown, does.
 */
export interface Piece {
  readonly number: number;
  readonly kind: "result" | "input";
  readonly at: Place;
  /** Of the call: the same as `at` for an input. */
  readonly callAt: Place;
  readonly callId: string;
  readonly tool: string;
  /** As it is in the log. */
  readonly tokens: number;
  readonly isError: boolean;
  /** Errors, diffs, images and what is not text are shown whole or not at all. */
  readonly isWhole: boolean;
  /** Assistant turns that used a word of it that tells it apart. */
  uses: number;
  /** The last such turn, counted from 1; 0: none. */
  usedAt: number;
  level: Level;
  shownTokens: number;
}

/** As it came (or as it was taken in), its most telling lines, one line. */
export type Level = 0 | 1 | 2;
export const FULL = 0;
export const SKELETON = 1;
export const STUB = 2;
