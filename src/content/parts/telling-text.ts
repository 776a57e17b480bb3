import { estimateTokens } from "../../tokens/estimate-tokens.ts";
import { countCut, gapText, type Cuttable } from "./gap-text.ts";
import { MOST_HEADINGS, type Parts } from "./text-parts.ts";

/** What stating a gap takes, about. */
const GAP_CHARS = 18;
const CHARS_PER_TOKEN = 4;
/** Of a part, beside its characters, when parts are compared. */
const PART_TOKENS = 2;
/** What a part has of the worth of one beside it: where one is needed, its neighbours are. */
const NEIGHBOUR_SHARE = 0.45;

/** What is asked of a selection. */
export interface Wanted {
  /** Worth per token from which on a part is shown. */
  readonly leastWorth: number;
  readonly maxTokens: number;
  /** Of the whole text. */
  readonly tokens: number;
  /** Where a larger share of the text would be shown, all of it is. */
  readonly mostShare: number;
}

/** How often a selection is made anew until it is within the limit: the tokens of a text are not the sum of those of its parts. */
const MOST_ATTEMPTS = 12;
/** A selection below this share of the limit is made anew too, if a larger one was tried: what a limit allows is to be shown. */
const LEAST_SHARE = 0.5;

/**
 * The parts that tell enough for what they take, in their order and with their headings; every gap says what it lacks. If they take
 * more than the limit, those that tell most. At least one is shown. Undefined: all of them are.
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
    // Far below the limit they need not be counted.
    if (over === Infinity && shown.length * tokensPerChar * MOST_UNEVEN < maxTokens) return shown;
    const taken = estimateTokens(shown);
    if (taken <= maxTokens) {
      if (over === Infinity || taken >= maxTokens * LEAST_SHARE) return shown;
      within = { shown, chars };
    } else over = chars;
    // Parts that tell the same come and go together: a limit that is a little tighter may choose the same ones again.
    chars = within === undefined ? Math.min(chars, shown.length) * Math.min(0.95, maxTokens / taken) ** (1 + attempt / 2) : (within.chars + over) / 2;
  }
  if (within !== undefined) return within.shown;
  const isShown = new Uint8Array(worths.length);
  isShown[bestOf(worths)] = 1;
  return textOf(parts, isShown);
}

/** Does the limit leave room for the whole text? Then its parts need no further look. */
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
  // Where gaps are stated, the text must be sure to be within the limit: they take no more than what else is shown.
  return telling === worths.length || (chars >= text.length * mostShare && tokens * MOST_UNEVEN * 2 < maxTokens);
}

/** How many times more tokens per character a part may have than the whole text. */
const MOST_UNEVEN = 3;

/** A longer part without a word is data, and no neighbour makes it worth more. */
const LONGEST_WORDLESS = 80;

/** With what neighbours add. */
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
  let behind = 0;
  for (let part = length - 1; part >= 0; part--) {
    const own = all[part] ?? 0;
    behind = own === 0 ? 0 : Math.max(own, behind * NEIGHBOUR_SHARE);
    all[part] = behind;
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
    // Where not all that tell the same fit, the first of them do.
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

/** Steps of a worth, four to an octave. */
const STEPS = 256;
const STEPS_PER_OCTAVE = 4;

/** All parts from `least` on fit; of those from `some` on, some do. */
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

/** A gap that is no longer than the words that state it says more if it is shown. */
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
