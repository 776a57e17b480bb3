import { costByTask, costPairs, creditByTask } from "./measure/aggregate.ts";
import { meanInterval, type Interval } from "./measure/bootstrap.ts";
import { DEFAULT_RULE } from "./measure/cost.ts";
import type { TrajectoryScore } from "./measure/measure-policy.ts";
import type { Run, Sampling } from "./summarize.ts";

/** One policy less another, task by task. */
export interface Difference {
  readonly of: string;
  readonly against: string;
  readonly bound: Interval;
  readonly cost: Interval;
  readonly longBound: Interval;
  readonly longCost: Interval;
}

export function differencesOf(runs: readonly Run[], against: readonly Run[], full: readonly TrajectoryScore[], sampling: Sampling): Difference[] {
  return runs.flatMap((run) => against.filter((other) => other !== run).map((other) => differenceOf(run, other, full, sampling)));
}

function differenceOf(run: Run, other: Run, full: readonly TrajectoryScore[], { tasks, resamples }: Sampling): Difference {
  const isLong = full.map((score) => score.isLong);
  const long = <T>(list: readonly T[]): T[] => list.filter((_, number) => isLong[number]);
  const less = (own: ReadonlyMap<string, number>, theirs: ReadonlyMap<string, number>): Interval =>
    meanInterval(
      tasks.map((task) => (own.get(task) ?? Number.NaN) - (theirs.get(task) ?? Number.NaN)),
      resamples,
    );
  const bound = (scores: readonly TrajectoryScore[]): Map<string, number> => creditByTask(scores, "atRisk", "bound");
  const cost = (scores: readonly TrajectoryScore[], base: readonly TrajectoryScore[]): Map<string, number> => costByTask(costPairs(scores, base, DEFAULT_RULE));
  return {
    of: run.name,
    against: other.name,
    bound: less(bound(run.scores), bound(other.scores)),
    cost: less(cost(run.scores, full), cost(other.scores, full)),
    longBound: less(bound(long(run.scores)), bound(long(other.scores))),
    longCost: less(cost(long(run.scores), long(full)), cost(long(other.scores), long(full))),
  };
}
