import { buildPieceMachine } from "../tokens/build-piece-machine.ts";
import { CLASS_OF, END } from "../tokens/character-classes.ts";
import { FITTED_PRICES } from "../tokens/fitted-prices.ts";
import { NOTHING } from "../tokens/open-pieces.ts";

const { next: NEXT, cost: COST } = buildPieceMachine(FITTED_PRICES);

/** `estimateTokens` of a part of a text, without cutting it out: V8 reads the characters of small slices at half the speed. */
export function tokensBetween(text: string, start: number, end: number): number {
  if (start >= end) return 0;
  let row: number = NOTHING;
  let sum = 0;
  for (let at = start; at < end; at++) {
    const step = row + (CLASS_OF[text.charCodeAt(at)] ?? 0);
    sum += COST[step] ?? 0;
    row = NEXT[step] ?? 0;
  }
  return Math.max(1, Math.round((sum + (COST[row + END] ?? 0)) / 100));
}

/** `estimateTokens`, by the loop above. */
export function tokensOf(text: string): number {
  return tokensBetween(text, 0, text.length);
}

// V8 must have seen the end of the loop before it first compiles it: otherwise a long first text leaves it at a fifth of its speed for good.
tokensBetween("a", 0, 1);
