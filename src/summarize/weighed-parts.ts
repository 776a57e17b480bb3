import type { Parts } from "../content/parts/text-parts.ts";
import { tellingText } from "../content/parts/telling-text.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";

/** Parts are compared by their worth for each of these. */
const CHARS_PER_TOKEN = 4;
const PART_TOKENS = 2;

/** The worth per token at which a line has half of the highest weight. */
const HALF_TELLING = 20;
const MOST_TELLING = 2;

/**
 * Factors for the limit of a selection, tried in order. Lines are chosen in steps of worth, so a selection often stays far below its limit,
 * and may be a single line if no step fits.
 */
const SHARES = [1.5, 1.3, 1.15, 1, 0.85, 0.7, 0.5] as const;
const WELL_USED = 0.5;

export function partText({ text, starts }: Parts, part: number): string {
  return text.slice(starts[part], starts[part + 1]);
}

/** Returns how telling the words of each part are, from 0 (a blank line) up to 2. */
export function weightsOf(parts: Parts): Float64Array {
  return Float64Array.from(parts.worths, (worth, part) => {
    const perToken = worth / tokensOf(parts, part);
    return (MOST_TELLING * perToken) / (perToken + HALF_TELLING);
  });
}

/** Returns the parts with the highest weights that fit, with their headings; every gap says what was cut. */
export function heaviestText(parts: Parts, weights: Float64Array, maxTokens: number): string {
  const tokens = estimateTokens(parts.text);
  if (tokens <= maxTokens) return parts.text;
  const { text, starts } = parts;
  const worths = Array.from(weights, (weight, part) => weight * tokensOf(parts, part));
  const weighed: Parts = {
    text,
    starts,
    worths,
    nounOf: (part) => parts.nounOf(part),
    countOf: (part) => parts.countOf(part),
    headingOf: (part) => parts.headingOf(part),
  };
  let best = "";
  let shown = text;
  for (const share of SHARES) {
    shown = tellingText(weighed, { leastWorth: 0, maxTokens: Math.floor(maxTokens * share), tokens, mostShare: Infinity }) ?? text;
    const taken = estimateTokens(shown);
    if (taken > maxTokens) continue;
    if (shown.length > best.length) best = shown;
    if (taken > maxTokens * WELL_USED) break;
  }
  return best === "" ? shown : best;
}

function tokensOf({ text, starts }: Parts, part: number): number {
  return ((starts[part + 1] ?? text.length) - (starts[part] ?? 0)) / CHARS_PER_TOKEN + PART_TOKENS;
}
