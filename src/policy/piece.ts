import type { CallFacts } from "../content/call-facts.ts";
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
  /** Errors, and what is not text: no line of it is cut. */
  readonly isWhole: boolean;
  /** Tokens of the images and documents in it. */
  readonly media: number;
  /** Turns of the assistant that used a word of it that tells it apart, or began with a user who named one. */
  uses: number;
  /** The last such turn, counted from 1; 0: none. */
  usedAt: number;
  /** A later result has it again, or what it is by now. */
  isSuperseded: boolean;
  /** What its call says of it. Undefined: nobody has asked. */
  call: CallFacts | undefined;
  level: Level;
  shownTokens: number;
}

/** As it came (or as it was taken in), its most telling lines, one line. */
export type Level = 0 | 1 | 2;
export const FULL = 0;
export const SKELETON = 1;
export const STUB = 2;
