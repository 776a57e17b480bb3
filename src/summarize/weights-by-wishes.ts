import { FAULT } from "../content/kinds/line-signs.ts";
import type { Parts } from "../content/parts/text-parts.ts";
import { partText } from "./weighed-parts.ts";
import type { Wishes } from "./wishes.ts";

/** Requested lines outrank lines with telling words, whose weight is at most 2. */
const QUOTED_WEIGHT = 10;
const ASKED_WEIGHT = 4;
const MOST_ASKED_WEIGHT = 8;
/** The weight of a word that is in every line, relative to a word that is in one line. */
const COMMON = 0.1;
const STATUS_WEIGHT = 1.2;
/** The weight of the only line that reports a failure. The more lines do, the less it counts. */
const FAULT_WEIGHT = 2;

const EXIT_CODE = /\bexit(?:ed)?(?: with)?(?: code| status)?:? ?-?\d|<returncode>|\b(?:exit|return)_?code\b/i;

/** Returns the weights of parts apart from their own words: for matching wishes (rare words count more), for failures and for exit codes. */
export function weightsByWishes(parts: Parts, { quoted, words, wantsExitCode }: Wishes): Float64Array {
  const weights = new Float64Array(parts.starts.length);
  const rarity = words === undefined ? undefined : rarityOf(parts, words);
  const faults = [...parts.starts.keys()].filter((part) => FAULT.test(partText(parts, part)));
  for (const part of faults) weights[part] = FAULT_WEIGHT * shareByRarity(faults.length, parts.starts.length);
  for (const part of weights.keys()) {
    const text = partText(parts, part);
    let asked = 0;
    for (const word of words === undefined ? [] : foundIn(text, words)) asked += ASKED_WEIGHT * (rarity?.get(word) ?? 0);
    const status = EXIT_CODE.test(text) ? (wantsExitCode ? QUOTED_WEIGHT : STATUS_WEIGHT) : 0;
    weights[part] = (weights[part] ?? 0) + Math.min(MOST_ASKED_WEIGHT, asked) + (quoted?.test(text) === true ? QUOTED_WEIGHT : 0) + status;
  }
  return weights;
}

function rarityOf(parts: Parts, words: RegExp): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const part of parts.starts.keys()) for (const word of foundIn(partText(parts, part), words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Map([...counts].map(([word, count]) => [word, shareByRarity(count, parts.starts.length)]));
}

/** Returns 1 for a word in one part, `COMMON` for a word in all parts. */
function shareByRarity(count: number, parts: number): number {
  return COMMON + (1 - COMMON) * (1 - Math.log(count) / Math.log(parts + 1));
}

function foundIn(text: string, words: RegExp): ReadonlySet<string> {
  return new Set((text.match(words) ?? []).map((word) => word.toLowerCase()));
}

/** The last lines of an output say how it ended. */
const LAST_LINES = 3;
export const LAST_WEIGHT: number = STATUS_WEIGHT;

/** Returns the last parts that are not blank. */
export function lastParts(parts: Parts): ReadonlySet<number> {
  const last = new Set<number>();
  for (let part = parts.starts.length - 1; part >= 0 && last.size < LAST_LINES; part--) if (partText(parts, part).trim() !== "") last.add(part);
  return last;
}
