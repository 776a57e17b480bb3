import { meanInterval, ratioInterval, type Interval } from "./measure/bootstrap.ts";
import type { TrajectoryScore } from "./measure/measure-policy.ts";
import type { Run, Sampling, SpendingSummary } from "./summarize.ts";
import { longOnes, taskValues, type Spending, type TaskValues } from "./task-values.ts";

export interface PartDifference {
  readonly bound: Interval;
  readonly withGaps: SpendingSummary;
  readonly noGaps: SpendingSummary;
}

/** One policy less another, on the same draws of tasks. */
export interface Difference {
  readonly of: string;
  readonly against: string;
  readonly all: PartDifference;
  readonly long: PartDifference;
}

export function differencesOf(runs: readonly Run[], against: readonly Run[], full: readonly TrajectoryScore[], sampling: Sampling): Difference[] {
  const known = new Map<Run, { readonly all: TaskValues; readonly long: TaskValues }>();
  const valuesOf = (run: Run): { readonly all: TaskValues; readonly long: TaskValues } => {
    let values = known.get(run);
    if (values === undefined) {
      const long = taskValues(longOnes(run.scores, full), longOnes(full, full), sampling.tasks);
      known.set(run, (values = { all: taskValues(run.scores, full, sampling.tasks), long }));
    }
    return values;
  };
  return runs.flatMap((run) =>
    against
      .filter((other) => other !== run)
      .map((other) => ({
        of: run.name,
        against: other.name,
        all: differenceOf(valuesOf(run).all, valuesOf(other).all, sampling),
        long: differenceOf(valuesOf(run).long, valuesOf(other).long, sampling),
      })),
  );
}

function differenceOf(own: TaskValues, other: TaskValues, { resamples }: Sampling): PartDifference {
  const spending = (mine: Spending, theirs: Spending): SpendingSummary => ({
    cost: meanInterval(less(mine.cost, theirs.cost), resamples),
    // Both bills are over that of the full context on the same tasks, so that the ratio of the difference is the difference of the ratios.
    bill: ratioInterval(less(mine.own, theirs.own), mine.full, resamples),
  });
  return {
    bound: meanInterval(less(own.bound, other.bound), resamples),
    withGaps: spending(own.spending.withGaps, other.spending.withGaps),
    noGaps: spending(own.spending.noGaps, other.spending.noGaps),
  };
}

function less(own: readonly number[], other: readonly number[]): number[] {
  return own.map((value, task) => value - (other[task] ?? Number.NaN));
}
