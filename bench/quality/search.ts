import { STANDINGS, USED, WORD_WORTHS } from "../../src/content/words/word-worths.ts";
import * as shapes from "../../src/content/words/words.ts";
import { PRESETS, type PolicyNumbers, type PresetName } from "../../src/policy/policy-options.ts";
import { mean } from "./measure/aggregate.ts";
import type { Marker, Marks } from "./judge.ts";

/** The worths of words, by shape and standing: see `src/content/words/word-worths.ts`. */
type Worths = readonly number[];

export const shippedWorths: Worths = [...WORD_WORTHS];

const { LONG, NUMBER, SHAPES } = shapes;

/** Words of prose, and short numbers, are worth the same wherever they stand. */
const isPlain = (shape: number): boolean => shape >= LONG || shape === NUMBER;

/** The starting point: names, ids and paths are worth ten times as much as prose, and a repetition a tenth of that. */
const FIRST_WORTHS: Worths = Array.from({ length: SHAPES * STANDINGS }, (_, place) => {
  if (isPlain(Math.floor(place / STANDINGS))) return 10;
  return [100, 10, 300][place % STANDINGS] ?? 0;
});

export function useWorths(worths: Worths): void {
  WORD_WORTHS.set(worths);
}

/** With these weights, the settings of `gentle` and of `balanced` score about the same: a higher score means better, not only cheaper. */
const scoreOf = ({ bound, fresh, cost }: Marks): number => bound + 2 * fresh - cost;

/** Worths are scored with this many tokens of each result shown: a gain at only one of these sizes is luck with single values. */
const STRICTNESSES = [400, 800];

/** A change must gain at least LEAST_GAIN on average (single values cause less), lose much on no part, and lose a little on at most one. */
const LEAST_GAIN = 0.001;
const MOST_LOSS = 0.004;
const LITTLE_LOSS = 0.0005;

/** Each worth in turn is tried larger and smaller, by ever smaller steps; what is better on nearly all parts of the tasks stays. */
export async function searchWorths(parts: readonly Marker[], sweeps: number, onSweep: (sweep: number, score: number) => void): Promise<Worths> {
  const scores = async (worths: Worths): Promise<number[]> => {
    useWorths(worths);
    const found: number[] = [];
    for (const part of parts) {
      const tried: number[] = [];
      for (const tokens of STRICTNESSES) tried.push(scoreOf(await part.marksOf({ preset: "gentle", firstSightTokens: tokens, firstSightFileTokens: tokens })));
      found.push(mean(tried));
    }
    return found;
  };
  let best = FIRST_WORTHS;
  let most = await scores(best);
  for (let sweep = 1; sweep <= sweeps; sweep++) {
    onSweep(sweep, mean(most));
    const step = 1 + 1.5 ** (1 - sweep);
    for (const places of PLACES) {
      for (const factor of [step, 1 / step]) {
        const tried = best.map((worth, place) => (places.includes(place) ? worth * factor : worth));
        const found = await scores(tried);
        if (!isBetter(found.map((score, part) => score - (most[part] ?? 0)))) continue;
        [best, most] = [tried, found];
        break;
      }
    }
  }
  useWorths(best);
  return best;
}

function isBetter(gains: readonly number[]): boolean {
  return mean(gains) >= LEAST_GAIN && Math.min(...gains) >= -MOST_LOSS && gains.filter((gain) => gain < -LITTLE_LOSS).length <= 1;
}

/** What is tried together: of plain words all standings, of others one. What the assistant has used counts in batches only, and stays. */
const PLACES: readonly (readonly number[])[] = Array.from({ length: SHAPES }, (_, shape) => {
  const places = Array.from({ length: STANDINGS }, (_, standing) => shape * STANDINGS + standing);
  return isPlain(shape) ? [places] : places.slice(0, USED).map((place) => [place]);
}).flat();

/** What is tried of each preset: all combinations. */
export const GRIDS: Readonly<Record<PresetName, Readonly<Partial<Record<keyof PolicyNumbers, readonly number[]>>>>> = {
  gentle: { digestTokens: [80_000, 100_000, 120_000, 150_000], digestTailTurns: [10, 20, 30] },
  balanced: { digestTokens: [70_000, 85_000, 100_000], digestTailTurns: [8, 11, 14] },
  tight: { digestTokens: [50_000, 60_000, 70_000], digestTailTurns: [12, 16, 20] },
};

/** What each preset must keep, and the most that all sessions, or the worst of them, may cost. */
interface Goal {
  readonly keep: Partial<Marks>;
  /** The same without a margin: of what is nearly always there, a share is nothing. */
  readonly least?: Partial<Marks>;
  readonly most: Partial<Marks>;
  /** Which of the costs counts where not all can be met. */
  readonly price: "cost" | "bill";
}

const GOALS: Readonly<Record<PresetName, Goal>> = {
  gentle: { keep: { bound: 0.98 }, least: { fresh: 0.995 }, most: { bill: 0.7, worst: 1.02 }, price: "bill" },
  balanced: { keep: { bound: 0.96 }, least: { fresh: 0.99 }, most: { bill: 0.6, worst: 1.02 }, price: "bill" },
  tight: { keep: { bound: 0.9 }, least: { fresh: 0.98, self: 0.99 }, most: { bill: 0.5, worst: 1.02 }, price: "bill" },
};

/** On the tasks that it is chosen on, a setting may use only this share of its allowed loss, because on other tasks it will lose more. */
const LOSS_SHARE = 0.75;

const entriesOf = (marks: Partial<Marks>): [keyof Marks, number][] => Object.entries(marks) as [keyof Marks, number][];

function keepsEnough(marks: Marks, { keep, least = {} }: Goal): boolean {
  const keepsWithMargin = entriesOf(keep).every(([mark, goal]) => marks[mark] >= 1 - (1 - goal) * LOSS_SHARE);
  return keepsWithMargin && entriesOf(least).every(([mark, goal]) => marks[mark] >= goal);
}

function costsLittle(marks: Marks, { most }: Goal): boolean {
  return entriesOf(most).every(([mark, limit]) => marks[mark] <= limit);
}

interface Tried {
  readonly numbers: Partial<PolicyNumbers>;
  readonly marks: Marks;
}

/**
 * Returns the middle one, by price, of the settings that keep enough and cost little enough: on other tasks it may lose more or cost more. If none
 * does both, returns the cheapest that keeps enough; if none keeps enough, the one that keeps most.
 */
export async function settingFor(marker: Marker, preset: PresetName): Promise<{ readonly numbers: Partial<PolicyNumbers>; readonly meets: boolean }> {
  const goal = GOALS[preset];
  const tried: Tried[] = [];
  for (const numbers of combinations(GRIDS[preset])) tried.push({ numbers, marks: await marker.marksOf({ ...PRESETS[preset], preset, ...numbers }) });
  const keeping = tried.filter(({ marks }) => keepsEnough(marks, goal)).sort((a, b) => a.marks[goal.price] - b.marks[goal.price]);
  const meeting = keeping.filter(({ marks }) => costsLittle(marks, goal));
  const chosen = meeting[meeting.length >> 1] ?? keeping[0] ?? tried.sort((a, b) => b.marks.bound - a.marks.bound)[0];
  return { numbers: chosen?.numbers ?? {}, meets: meeting.length > 0 };
}

function combinations(grid: Readonly<Partial<Record<keyof PolicyNumbers, readonly number[]>>>): Partial<PolicyNumbers>[] {
  let found: Partial<PolicyNumbers>[] = [{}];
  for (const [name, values = []] of Object.entries(grid)) found = found.flatMap((numbers) => values.map((value) => ({ ...numbers, [name]: value })));
  return found;
}

/** Returns a row per shape: its name, these worths, and the shipped worths. */
export function namedWorths(worths: Worths): string[][] {
  const row = (from: Worths, shape: number): string => from.slice(shape * STANDINGS, (shape + 1) * STANDINGS).map((worth) => `${Math.round(worth)}`).join(" "); // prettier-ignore
  return Object.entries(shapes).flatMap(([name, shape]) =>
    typeof shape === "number" && name !== "SHAPES" ? [[name, row(worths, shape), row(shippedWorths, shape)]] : [],
  );
}
