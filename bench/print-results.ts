import type { WorkloadResult } from "./compare.ts";
import { LINEAR_AT_MOST, type Growth } from "./linearity.ts";
import { formatTable } from "./table.ts";

const GOAL = 1;

export function printWorkload(result: WorkloadResult, description: string): string {
  const rows = result.comparisons.map(({ name, ms, fastestLike, fastestBare, fastestOfAll, yardsticks }) => [
    name,
    milliseconds(ms),
    milliseconds(fastestLike.ms),
    ratio(fastestLike.ratio),
    fastestLike.name,
    ratio(fastestBare.ratio),
    ratio(fastestOfAll.ratio),
    ...yardsticks.map((yardstick) => ratio(yardstick.ratio)),
  ]);
  const yardsticks = result.comparisons[0]?.yardsticks.map(({ name }) => `/ ${name}`) ?? [];
  const header = ["ours", "ms", "peer ms", "ratio", "fastest like peer", "/ bare", "/ fastest of all", ...yardsticks];
  const ownNames = new Set(result.comparisons.map(({ name }) => name));
  const others = result.times.filter(({ name }) => !ownNames.has(name)).map(({ name, ms, samples }) => [name, milliseconds(ms), String(samples)]);
  return `${description}\n\n${formatTable(header, rows)}\n\n${formatTable(["peers and yardsticks", "ms", "samples"], others)}\n`;
}

export function printGrowth(growth: readonly Growth[]): string {
  const rows = growth.map(({ name, times }) => [name, times.toFixed(1)]);
  return `Linearity: time on 10,000 pairs over time on 1,000 pairs\n\n${formatTable(["ours", "times"], rows)}\n`;
}

/** Returns a line for each missed goal. */
export function missedGoals(results: readonly WorkloadResult[], growth: readonly Growth[]): string[] {
  return [
    ...results.flatMap(({ workload, comparisons }) =>
      comparisons
        .filter(({ fastestLike }) => !(fastestLike.ratio <= GOAL))
        .map(({ name, fastestLike }) => `${workload}: ${name} takes ${ratio(fastestLike.ratio)} of the time of ${fastestLike.name}`),
    ),
    ...growth
      .filter(({ times }) => !(times <= LINEAR_AT_MOST))
      .map(({ name, times }) => `${name} takes ${times.toFixed(1)} times as long on ten times the pairs`),
  ];
}

function milliseconds(ms: number): string {
  return ms.toFixed(ms < 10 ? 3 : 1);
}

function ratio(value: number): string {
  return value.toFixed(value < 0.1 ? 3 : 2);
}
