import { costByTask, costPairs, creditByTask } from "./measure/aggregate.ts";
import { DEFAULT_RULE, type PriceRule } from "./measure/cost.ts";
import type { TrajectoryScore } from "./measure/measure-policy.ts";

/** How long caches live: by the recorded times, or as if no pause exceeded the time to live. */
export type Accounting = "withGaps" | "noGaps";
export const ACCOUNTINGS: Readonly<Record<Accounting, PriceRule>> = { withGaps: DEFAULT_RULE, noGaps: { ...DEFAULT_RULE, ttlMs: Infinity } };

/** Per task, in the order of the tasks. */
export interface Spending {
  /** Beside the full context, as a mean over the trajectories of the task; NaN where it has none. */
  readonly cost: readonly number[];
  /** Summed up, for the bill. */
  readonly own: readonly number[];
  readonly full: readonly number[];
}

/** The numbers of one policy, task by task: means, bills and paired differences are made of them. */
export interface TaskValues {
  readonly bound: readonly number[];
  readonly fresh: readonly number[];
  readonly spending: Readonly<Record<Accounting, Spending>>;
}

export function taskValues(scores: readonly TrajectoryScore[], full: readonly TrajectoryScore[], tasks: readonly string[]): TaskValues {
  const listed = (values: ReadonlyMap<string, number>): number[] => tasks.map((task) => values.get(task) ?? Number.NaN);
  return {
    bound: listed(creditByTask(scores, "atRisk", "bound")),
    fresh: listed(creditByTask(scores, "fresh", "bound")),
    spending: {
      withGaps: spendingOf(scores, full, tasks, ACCOUNTINGS.withGaps),
      noGaps: spendingOf(scores, full, tasks, ACCOUNTINGS.noGaps),
    },
  };
}

function spendingOf(scores: readonly TrajectoryScore[], full: readonly TrajectoryScore[], tasks: readonly string[], rule: PriceRule): Spending {
  const pairs = costPairs(scores, full, rule);
  const ratios = costByTask(pairs);
  const own = new Map<string, number>();
  const base = new Map<string, number>();
  for (const pair of pairs) {
    own.set(pair.task, (own.get(pair.task) ?? 0) + pair.own);
    base.set(pair.task, (base.get(pair.task) ?? 0) + pair.full);
  }
  return {
    cost: tasks.map((task) => ratios.get(task) ?? Number.NaN),
    own: tasks.map((task) => own.get(task) ?? 0),
    full: tasks.map((task) => base.get(task) ?? 0),
  };
}

/** Of a list with an entry per trajectory: the entries of the long ones. */
export function longOnes<T>(list: readonly T[], scores: readonly TrajectoryScore[]): T[] {
  return list.filter((_, number) => scores[number]?.isLong === true);
}
