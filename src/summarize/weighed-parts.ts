import type { Parts } from "../content/parts/text-parts.ts";
import { tellingText } from "../content/parts/telling-text.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";

/** Parts are compared by their worth for each of these. */
const CHARS_PER_TOKEN = 4;
const PART_TOKENS = 2;

/** What words add up to per token in a line that is half as telling as one can be. */
const HALF_TELLING = 20;
const MOST_TELLING = 2;

/** A selection often stays far below its limit, because lines are taken by steps of their worth. So a higher one is tried first. */
const SHARES = [1.5, 1.3, 1.15, 1] as const;

export function partText({ text, starts }: Parts, part: number): string {
  return text.slice(starts[part], starts[part + 1]);
}

/** How telling each part is by its words: 0 for a blank line, up to 2. */
export function weightsOf(parts: Parts): Float64Array {
  return Float64Array.from(parts.worths, (worth, part) => {
    const perToken = worth / tokensOf(parts, part);
    return (MOST_TELLING * perToken) / (perToken + HALF_TELLING);
  });
}

/** The parts of the greatest weight that fit, with their headings; every gap says what it lacks. */
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
  for (const share of SHARES) {
    const shown = tellingText(weighed, { leastWorth: 0, maxTokens: Math.floor(maxTokens * share), tokens, mostShare: Infinity }) ?? text;
    if (share === 1 || estimateTokens(shown) <= maxTokens) return shown;
  }
  return text;
}

function tokensOf({ text, starts }: Parts, part: number): number {
  return ((starts[part + 1] ?? text.length) - (starts[part] ?? 0)) / CHARS_PER_TOKEN + PART_TOKENS;
}
