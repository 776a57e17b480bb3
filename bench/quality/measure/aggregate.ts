import { costOfCalls, type PriceRule } from "./cost.ts";
import type { Credit } from "./credit.ts";
import type { Companion, DriftBucket, Group, TrajectoryScore } from "./measure-policy.ts";
import type { Share } from "./share.ts";

/** Mean over the trajectories of each task; what no trajectory of a task has is left out (NaN). */
export function byTask(scores: readonly TrajectoryScore[], valueOf: (score: TrajectoryScore, number: number) => number): Map<string, number> {
  const found = new Map<string, number[]>();
  for (const [number, score] of scores.entries()) {
    const value = valueOf(score, number);
    if (Number.isNaN(value)) continue;
    const known = found.get(score.task);
    if (known === undefined) found.set(score.task, [value]);
    else known.push(value);
  }
  return new Map([...found].map(([task, values]) => [task, mean(values)]));
}

export function mean(values: Iterable<number>): number {
  let sum = 0;
  let count = 0;
  for (const value of values) {
    sum += value;
    count++;
  }
  return count === 0 ? Number.NaN : sum / count;
}

export function creditByTask(scores: readonly TrajectoryScore[], group: Group, credit: Credit | "visible"): Map<string, number> {
  return byTask(scores, ({ credits }) => (credit === "visible" ? credits[group].bound.mean + credits[group].bare.mean : credits[group][credit].mean));
}

export interface CostPair {
  readonly task: string;
  readonly own: number;
  readonly full: number;
}

/** The cost of each trajectory beside that of the cached full context. */
export function costPairs(scores: readonly TrajectoryScore[], full: readonly TrajectoryScore[], rule: PriceRule, withRecalls = true): CostPair[] {
  return scores.map(({ task, calls }, number) => {
    const { sent, recalls } = costOfCalls(calls, rule);
    return { task, own: withRecalls ? sent + recalls : sent, full: costOfCalls(full[number]?.calls ?? [], rule).sent };
  });
}

export function costByTask(pairs: readonly CostPair[]): Map<string, number> {
  const ratios = new Map<string, number[]>();
  for (const { task, own, full } of pairs) ratios.set(task, [...(ratios.get(task) ?? []), own / full]);
  return new Map([...ratios].map(([task, values]) => [task, mean(values)]));
}

export function billOf(pairs: readonly CostPair[]): number {
  return pairs.reduce((sum, { own }) => sum + own, 0) / pairs.reduce((sum, { full }) => sum + full, 0);
}

export function tokensByTask(scores: readonly TrajectoryScore[], full: readonly TrajectoryScore[]): Map<string, number> {
  return byTask(scores, ({ calls }, number) => sentTokens(calls) / sentTokens(full[number]?.calls ?? []));
}

function sentTokens(calls: readonly { readonly tokens: number }[]): number {
  return calls.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Over all that was asked, whatever the trajectory. */
export function pooled(shares: readonly Share[]): Pick<Share, "asked" | "found"> & { readonly share: number } {
  const asked = shares.reduce((sum, share) => sum + share.asked, 0);
  const found = shares.reduce((sum, share) => sum + share.found, 0);
  return { asked, found, share: asked === 0 ? Number.NaN : found / asked };
}

export function companionByTask(scores: readonly TrajectoryScore[], companion: Companion): Map<string, number> {
  return byTask(scores, ({ companions }) => companions[companion].mean);
}

export function driftOf(scores: readonly TrajectoryScore[], bucket: DriftBucket): { readonly asked: number; readonly share: number } {
  const { asked, share } = pooled(scores.map(({ drift }) => drift[bucket]));
  return { asked, share };
}
