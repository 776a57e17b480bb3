import type { Unit } from "../content/unit.ts";
import type { Wishes } from "./wishes.ts";

/** What is asked for comes before what is telling by its form, which weighs 2 at most. */
const QUOTED_WORTH = 6;
const ASKED_WORTH = 2.5;
const MOST_ASKED_WORTH = 5;
/** Of a word that is in every line, as a share of one that is in a single line. */
const COMMON = 0.2;
const STATUS_WORTH = 1.2;

const EXIT_CODE = /\bexit(?:ed)?(?: with)?(?: code| status)?:? ?-?\d|<returncode>|\b(?:exit|return)_?code\b/i;

/** What units are worth beyond their form: by the wishes, the rarer the words the more, and if they state how something ended. */
export function worthByWishes(units: readonly Unit[], { quoted, words, wantsExitCode }: Wishes): Float64Array {
  const worth = new Float64Array(units.length);
  const rarity = words === undefined ? undefined : rarityOf(units, words);
  for (const [index, { text }] of units.entries()) {
    let asked = 0;
    for (const word of words === undefined ? [] : foundIn(text, words)) asked += ASKED_WORTH * (rarity?.get(word) ?? 0);
    const status = EXIT_CODE.test(text) ? (wantsExitCode ? QUOTED_WORTH : STATUS_WORTH) : 0;
    worth[index] = Math.min(MOST_ASKED_WORTH, asked) + (quoted?.test(text) === true ? QUOTED_WORTH : 0) + status;
  }
  return worth;
}

function rarityOf(units: readonly Unit[], words: RegExp): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of units) for (const word of foundIn(text, words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const all = Math.log(units.length + 1);
  return new Map([...counts].map(([word, count]) => [word, COMMON + (1 - COMMON) * (1 - Math.log(count) / all)]));
}

function foundIn(text: string, words: RegExp): ReadonlySet<string> {
  return new Set((text.match(words) ?? []).map((word) => word.toLowerCase()));
}

/** The last lines of an output say how it ended. */
const LAST_LINES = 3;
export const LAST_WORTH: number = STATUS_WORTH;

/** The indices of the last units that are not blank. */
export function lastUnits(units: readonly Unit[]): ReadonlySet<number> {
  const last = new Set<number>();
  for (let index = units.length - 1; index >= 0 && last.size < LAST_LINES; index--) if (units[index]?.text.trim() !== "") last.add(index);
  return last;
}
