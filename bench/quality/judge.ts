import type { PolicyOptions } from "../../src/policy/policy-options.ts";
import { billOf, costByTask, costPairs, creditByTask, mean } from "./measure/aggregate.ts";
import { DEFAULT_RULE } from "./measure/cost.ts";
import { measurePolicy, type MeasuredPolicy, type TrajectoryScore } from "./measure/measure-policy.ts";
import type { PreparedTrajectory } from "./measure/prepare.ts";
import { fullContext } from "./policies/controls.ts";
import { ours } from "./policies/ours.ts";
import { longOnes } from "./task-values.ts";

/** How much a setting keeps and costs, by the recorded times. */
export interface Marks {
  readonly bound: number;
  readonly longBound: number;
  readonly fresh: number;
  readonly self: number;
  readonly cost: number;
  readonly bill: number;
  readonly worst: number;
}

/** Measures how much a setting keeps and costs. */
export interface Marker {
  marksOf(options: PolicyOptions): Promise<Marks>;
}

/** Measures settings on some trajectories, without intervals: for tuning. */
export class Judge implements Marker {
  readonly #trajectories: readonly PreparedTrajectory[];
  readonly #full: readonly TrajectoryScore[];

  private constructor(trajectories: readonly PreparedTrajectory[], full: readonly TrajectoryScore[]) {
    this.#trajectories = trajectories;
    this.#full = full;
  }

  static async of(trajectories: readonly PreparedTrajectory[]): Promise<Judge> {
    return new Judge(trajectories, await scoresOf(trajectories, fullContext));
  }

  async marksOf(options: PolicyOptions): Promise<Marks> {
    return marksFrom(await scoresOf(this.#trajectories, ours("tried", options)), this.#full);
  }
}

/** `full`: the same trajectories with the full context. */
export function marksFrom(scores: readonly TrajectoryScore[], full: readonly TrajectoryScore[]): Marks {
  const pairs = costPairs(scores, full, DEFAULT_RULE);
  const credit = (list: readonly TrajectoryScore[], group: "atRisk" | "fresh" | "self"): number => mean(creditByTask(list, group, "bound").values());
  return {
    bound: credit(scores, "atRisk"),
    longBound: credit(longOnes(scores, full), "atRisk"),
    fresh: credit(scores, "fresh"),
    self: credit(scores, "self"),
    cost: mean(costByTask(pairs).values()),
    bill: billOf(pairs),
    worst: Math.max(...pairs.map(({ own, full: base }) => own / base)),
  };
}

export async function scoresOf(trajectories: readonly PreparedTrajectory[], policy: MeasuredPolicy): Promise<TrajectoryScore[]> {
  const scores: TrajectoryScore[] = [];
  for (const trajectory of trajectories) scores.push(await measurePolicy(trajectory, policy, { schemaTokens: 0 }));
  return scores;
}
