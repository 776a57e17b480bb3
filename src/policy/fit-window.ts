import type { Piece } from "./piece.ts";

/** A request may take this share of the model's window: estimates err, and the answer needs room. */
const WINDOW_SHARE = 0.9;
/** No new result is cut below this. */
const LEAST_TOKENS = 500;

/** A new result, and its size as it would be shown. */
export interface NewResult {
  readonly piece: Piece;
  readonly tokens: number;
}

export function fitsWindow(tokens: number, windowTokens: number): boolean {
  return tokens <= windowTokens * WINDOW_SHARE;
}

/** Returns which new results must be cut, largest first, and to how many tokens each, so that a request fits the model's window. */
export function cutsToFit(results: readonly NewResult[], shownTokens: number, windowTokens: number): { readonly piece: Piece; readonly maxTokens: number }[] {
  let over = shownTokens - windowTokens * WINDOW_SHARE;
  const cuts: { readonly piece: Piece; readonly maxTokens: number }[] = [];
  for (const { piece, tokens } of results.toSorted((a, b) => b.tokens - a.tokens)) {
    if (over <= 0 || tokens <= LEAST_TOKENS) break;
    const maxTokens = Math.max(LEAST_TOKENS, Math.floor(tokens - over));
    cuts.push({ piece, maxTokens });
    over -= tokens - maxTokens;
  }
  return cuts;
}
