import { createRandom } from "./random.ts";

export interface Interval {
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

export const RESAMPLES = 10_000;
const LEVEL = 0.95;
const SEED = 20_261_116;

/** The tasks drawn in each resample, as how often each was drawn: the same ones for every policy, so that differences are paired. */
export function drawResamples(tasks: number, resamples: number = RESAMPLES): readonly Uint16Array[] {
  const random = createRandom(SEED);
  return Array.from({ length: resamples }, () => {
    const counts = new Uint16Array(tasks);
    for (let draw = 0; draw < tasks; draw++) {
      const task = Math.floor(random() * tasks);
      counts[task] = (counts[task] ?? 0) + 1;
    }
    return counts;
  });
}

/** The mean over tasks. A task without a value (NaN) counts nowhere. */
export function meanInterval(values: readonly number[], resamples: readonly Uint16Array[]): Interval {
  const numerators = values.map((value) => (Number.isNaN(value) ? 0 : value));
  const denominators = values.map((value) => (Number.isNaN(value) ? 0 : 1));
  return ratioInterval(numerators, denominators, resamples);
}

/** One sum over another, over tasks. */
export function ratioInterval(numerators: readonly number[], denominators: readonly number[], resamples: readonly Uint16Array[]): Interval {
  const every = new Uint16Array(numerators.length).fill(1);
  const drawn = resamples.map((counts) => weightedRatio(numerators, denominators, counts)).filter((value) => !Number.isNaN(value));
  return { estimate: weightedRatio(numerators, denominators, every), ...middle(drawn) };
}

function weightedRatio(numerators: readonly number[], denominators: readonly number[], counts: Uint16Array): number {
  let above = 0;
  let below = 0;
  for (let task = 0; task < counts.length; task++) {
    const count = counts[task] ?? 0;
    above += count * (numerators[task] ?? 0);
    below += count * (denominators[task] ?? 0);
  }
  return above / below;
}

function middle(values: readonly number[]): { readonly low: number; readonly high: number } {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { low: at((1 - LEVEL) / 2), high: at((1 + LEVEL) / 2) };
}
