import { formatTable } from "../table.ts";
import { creditByTask, mean } from "./measure/aggregate.ts";
import type { TrajectoryScore } from "./measure/measure-policy.ts";
import type { Run } from "./summarize.ts";

const PRESETS = ["gentle", "balanced", "tight"] as const;

/** One step from a preset to the next stricter one. */
export interface OrderStep {
  readonly milder: string;
  readonly stricter: string;
  /** Trajectories on which the stricter one sends no more tokens in sum, of all. */
  readonly sendsNoMore: number;
  readonly trajectories: number;
  /** What the milder one keeps more on average. */
  readonly keepsMore: number;
}

/** Are the presets ordered? A stricter one sends no more on any trajectory, and keeps no more on average. */
export function presetOrder(runs: readonly Run[]): OrderStep[] {
  return PRESETS.slice(1).flatMap((stricter, number) => {
    const [mild, strict] = [PRESETS[number] ?? "", stricter].map((name) => runs.find((run) => run.name === name)?.scores);
    if (mild === undefined || strict === undefined) return [];
    const sendsNoMore = strict.filter((score, at) => sentBy(score) <= sentBy(mild[at] ?? score)).length;
    const [kept, keptStrictly] = [mild, strict].map((scores) => mean(creditByTask(scores, "atRisk", "bound").values()));
    return [{ milder: PRESETS[number] ?? "", stricter, sendsNoMore, trajectories: strict.length, keepsMore: (kept ?? 0) - (keptStrictly ?? 0) }];
  });
}

export function printOrder(steps: readonly OrderStep[]): string {
  return formatTable(
    ["order of the presets", "sends no more tokens", "keeps less by"],
    steps.map(({ milder, stricter, sendsNoMore, trajectories, keepsMore }) => [
      `${stricter} after ${milder}`,
      `${sendsNoMore} of ${trajectories}`,
      keepsMore.toFixed(3),
    ]),
  );
}

function sentBy({ calls }: TrajectoryScore): number {
  return calls.reduce((sum, { tokens }) => sum + tokens, 0);
}
