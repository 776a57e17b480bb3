import { estimateTokens } from "../../tokens/estimate-tokens.ts";
import { countCut, gapText, type Cuttable } from "./gap-text.ts";
import { MOST_HEADINGS, type Parts } from "./text-parts.ts";

/** The approximate length of a gap's text. */
const GAP_CHARS = 18;
const CHARS_PER_TOKEN = 4;
/** The fixed cost of a part, in addition to its characters, when parts are compared. */
const PART_TOKENS = 2;
/** The share of a part's worth that its neighbours get: agents that need a part need its neighbours too. */
const NEIGHBOUR_SHARE = 0.45;

/** The requirements of a selection. */
export interface Wanted {
  /** The worth per token that a part needs to be shown. */
  readonly leastWorth: number;
  readonly maxTokens: number;
  /** The tokens of the whole text. */
  readonly tokens: number;
  /** If a larger share of the text would be shown, all of it is. */
  readonly mostShare: number;
}

/** How often a selection is retried until it fits the limit: the tokens of a text are not the sum of those of its parts. */
const MOST_ATTEMPTS = 12;
/** After a selection was too large, one below this share of the limit is retried too, so that the limit is used. */
const LEAST_SHARE = 0.5;

/**
 * Returns the parts that are worth their tokens, in order and with their headings; every gap says what was cut. If they exceed the
 * limit, returns the parts with the highest worth, but at least one. Undefined if all parts are shown.
 */
export function tellingText(parts: Parts, wanted: Wanted): string | undefined {
  const { text } = parts;
  if (text === "") return undefined;
  const shown = shownText(parts, wanted);
  return shown === undefined || shown.length >= text.length * wanted.mostShare ? undefined : shown;
}

function shownText(parts: Parts, wanted: Wanted): string | undefined {
  const { text } = parts;
  const { leastWorth, maxTokens, tokens } = wanted;
  const worths = worthsPerToken(parts);
  const tokensPerChar = tokens / text.length;
  let chars = maxTokens / tokensPerChar;
  if (tellsThroughout(parts, worths, wanted, chars)) return undefined;
  let within: { readonly shown: string; readonly chars: number } | undefined;
  let over = Infinity;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const shown = textOf(parts, chosen(parts, worths, leastWorth, chars));
    if (shown === text) return undefined;
    // Far below the limit, counting is unnecessary.
    if (over === Infinity && shown.length * tokensPerChar * MOST_UNEVEN < maxTokens) return shown;
    const taken = estimateTokens(shown);
    if (taken <= maxTokens) {
      if (over === Infinity || taken >= maxTokens * LEAST_SHARE) return shown;
      within = { shown, chars };
    } else over = chars;
    // Parts of equal worth are chosen together, so a slightly tighter limit may choose the same parts again.
    chars = within === undefined ? Math.min(chars, shown.length) * Math.min(0.95, maxTokens / taken) ** (1 + attempt / 2) : (within.chars + over) / 2;
  }
  if (within !== undefined) return within.shown;
  const isShown = new Uint8Array(worths.length);
  isShown[bestOf(worths)] = 1;
  return textOf(parts, isShown);
}

/** Says whether the whole text can be shown, so that no parts need be chosen. */
function tellsThroughout(parts: Parts, worths: Float64Array, { leastWorth, maxTokens, tokens, mostShare }: Wanted, maxChars: number): boolean {
  const { text } = parts;
  let telling = 0;
  let chars = 0;
  for (let part = 0; part < worths.length; part++) {
    if ((worths[part] ?? 0) < leastWorth) continue;
    telling++;
    chars += charsOf(parts, part);
  }
  if (chars + telling * (GAP_CHARS / 2) > maxChars - GAP_CHARS) return false;
  // With gaps, the text must be certain to fit: gaps take no more than the shown parts.
  return telling === worths.length || (chars >= text.length * mostShare && tokens * MOST_UNEVEN * 2 < maxTokens);
}

/** How many times more tokens per character a part may have than the whole text. */
const MOST_UNEVEN = 3;

/** A longer part without a word is data, and no neighbour makes it worth more. */
const LONGEST_WORDLESS = 80;

/** Returns the worth per token of each part, including what its neighbours add. */
function worthsPerToken(parts: Parts): Float64Array {
  const { worths } = parts;
  const { length } = worths;
  const all = new Float64Array(length);
  let before = 0;
  for (let part = 0; part < length; part++) {
    const chars = charsOf(parts, part);
    const worth = worths[part] ?? 0;
    before = worth === 0 && chars > LONGEST_WORDLESS ? 0 : Math.max(worth / (chars / CHARS_PER_TOKEN + PART_TOKENS), before * NEIGHBOUR_SHARE);
    all[part] = before;
  }
  let after = 0;
  for (let part = length - 1; part >= 0; part--) {
    const own = all[part] ?? 0;
    after = own === 0 ? 0 : Math.max(own, after * NEIGHBOUR_SHARE);
    all[part] = after;
  }
  return all;
}

function chosen(parts: Parts, worths: Float64Array, leastWorth: number, maxChars: number): Uint8Array {
  const isShown = new Uint8Array(worths.length);
  let left = maxChars - GAP_CHARS;
  const { least, some } = thresholdFor(parts, worths, leastWorth, left);
  for (let part = 0; part < worths.length; part++) {
    const worth = worths[part] ?? 0;
    if (worth < some || isShown[part] === 1) continue;
    // If not all parts of equal worth fit, the first ones are shown.
    const chars = charsOf(parts, part) + (isShown[part - 1] === 1 ? 0 : GAP_CHARS);
    if (worth < least) {
      if (chars > left) continue;
      left -= chars;
    }
    showWithHeadings(parts, part, isShown);
  }
  if (!isShown.includes(1)) showWithHeadings(parts, bestOf(worths), isShown);
  fillSmallGaps(parts, isShown);
  return isShown;
}

function showWithHeadings(parts: Parts, part: number, isShown: Uint8Array): void {
  let at = part;
  for (let depth = 0; depth <= MOST_HEADINGS && at >= 0 && isShown[at] === 0; depth++) {
    isShown[at] = 1;
    at = parts.headingOf(at);
  }
}

/** Worths are grouped into steps, four per octave. */
const STEPS = 256;
const STEPS_PER_OCTAVE = 4;

/** Finds two thresholds: all parts worth at least `least` fit; some of those worth at least `some` fit. */
function thresholdFor(parts: Parts, worths: Float64Array, leastWorth: number, maxChars: number): { readonly least: number; readonly some: number } {
  let sum = 0;
  for (let part = 0; part < worths.length; part++) if ((worths[part] ?? 0) >= leastWorth) sum += charsOf(parts, part) + GAP_CHARS / 2;
  if (sum <= maxChars) return { least: leastWorth, some: leastWorth };
  const chars = new Float64Array(STEPS);
  for (let part = 0; part < worths.length; part++) {
    const worth = worths[part] ?? 0;
    if (worth < leastWorth) continue;
    const step = stepOf(worth);
    chars[step] = (chars[step] ?? 0) + charsOf(parts, part) + GAP_CHARS / 2;
  }
  let left = maxChars;
  for (let step = STEPS - 1; step >= 0; step--) {
    left -= chars[step] ?? 0;
    if (left < 0) return { least: worthAt(step + 1), some: Math.max(leastWorth, worthAt(step)) };
  }
  return { least: leastWorth, some: leastWorth };
}

function stepOf(worth: number): number {
  return Math.max(0, Math.min(STEPS - 1, Math.floor(STEPS_PER_OCTAVE * Math.log2(worth + 1e-9)) + STEPS / 2));
}

function worthAt(step: number): number {
  return 2 ** ((step - STEPS / 2) / STEPS_PER_OCTAVE);
}

function charsOf({ text, starts }: Parts, part: number): number {
  return (starts[part + 1] ?? text.length) - (starts[part] ?? 0);
}

/** Shows gaps that are no longer than the text that would replace them. */
function fillSmallGaps(parts: Parts, isShown: Uint8Array): void {
  let start = 0;
  for (let part = 0; part <= isShown.length; part++) {
    if (part < isShown.length && isShown[part] === 0) continue;
    const chars = (parts.starts[part] ?? parts.text.length) - (parts.starts[start] ?? parts.text.length);
    if (chars <= GAP_CHARS) isShown.fill(1, start, part);
    start = part + 1;
  }
}

function bestOf(worths: Float64Array): number {
  let best = 0;
  for (let part = 1; part < worths.length; part++) if ((worths[part] ?? 0) > (worths[best] ?? 0)) best = part;
  return best;
}

function textOf(parts: Parts, isShown: Uint8Array): string {
  const { text, starts } = parts;
  const columns: Cuttable = { nounAt: (part) => parts.nounOf(part), countAt: (part) => parts.countOf(part), headingAt: (part) => parts.headingOf(part) };
  const pieces: string[] = [];
  let at = 0;
  while (at < isShown.length) {
    const state = isShown[at];
    const end = isShown.indexOf(1 - (state ?? 0), at);
    const next = end < 0 ? isShown.length : end;
    if (state === 1) pieces.push(text.slice(starts[at], starts[next]));
    else pieces.push(gapText(countCut(at, next, columns), next === isShown.length, pieces.at(-1)));
    at = next;
  }
  return pieces.join("");
}
