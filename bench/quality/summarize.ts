import { billOf, byTask, companionByTask, costByTask, costPairs, creditByTask, driftOf, mean, pooled } from "./measure/aggregate.ts";
import { meanInterval, ratioInterval, type Interval } from "./measure/bootstrap.ts";
import { DEFAULT_RULE } from "./measure/cost.ts";
import { COMPANIONS, DRIFT_BUCKETS, GROUPS, type Companion, type DriftBucket, type Group, type TrajectoryScore } from "./measure/measure-policy.ts";
import type { NamedRule } from "./price-rules.ts";
import { longOnes, taskValues, type Spending } from "./task-values.ts";

/** Trajectories under one policy, and the same ones in full. */
export interface Run {
  readonly name: string;
  readonly kind: string;
  readonly scores: readonly TrajectoryScore[];
}

export interface CreditSummary {
  readonly needs: number;
  readonly bound: number;
  readonly visible: number;
  readonly recoverable: number;
  readonly lost: number;
  /** Counted over all needs, not as a mean over tasks: "nothing is lost" must hold for each. */
  readonly lostNeeds: number;
}

export interface SpendingSummary {
  /** Mean over tasks. */
  readonly cost: Interval;
  /** One sum over all. */
  readonly bill: Interval;
}

/** `cost` and `bill` by the recorded times; `noGaps` without the time to live. */
export interface Part extends SpendingSummary {
  readonly trajectories: number;
  readonly tasks: number;
  readonly bound: Interval;
  readonly fresh: Interval;
  readonly noGaps: SpendingSummary;
  readonly needsAtRisk: number;
}

export interface PolicySummary {
  readonly name: string;
  readonly kind: string;
  readonly all: Part;
  readonly long: Part;
  readonly sources: Readonly<Record<string, Part>>;
  readonly credits: Readonly<Record<Group, CreditSummary>>;
  readonly chance: { readonly bound: number; readonly visible: number; readonly asked: number };
  /** All tokens sent, of those of the full context. */
  readonly tokens: number;
  readonly peakTokens: number;
  readonly costWithoutRecalls: number;
  readonly worstCost: { readonly cost: number; readonly id: string };
  readonly prices: readonly {
    readonly rule: string;
    readonly cost: number;
    readonly bill: number;
    readonly longCost: number;
    readonly longBill: number;
    readonly worst: number;
  }[];
  readonly companions: Readonly<Record<Companion, { readonly mean: number; readonly asked: number }>>;
  readonly drift: Readonly<Record<DriftBucket, { readonly asked: number; readonly share: number }>>;
  readonly invalidViews: number;
  readonly views: number;
  readonly faults: readonly string[];
  readonly policyMs: number;
}

export type DrawnTasks = readonly Uint16Array[];

export interface Sampling {
  readonly tasks: readonly string[];
  readonly resamples: DrawnTasks;
}

export function summarize({ name, kind, scores }: Run, full: readonly TrajectoryScore[], rules: readonly NamedRule[], sampling: Sampling): PolicySummary {
  const pairs = costPairs(scores, full, DEFAULT_RULE);
  const long = <T>(list: readonly T[]): T[] => longOnes(list, full);
  const sent = (list: readonly TrajectoryScore[]): number => list.reduce((sum, { calls }) => sum + calls.reduce((own, { tokens }) => own + tokens, 0), 0);
  const ratios = pairs.map(({ own, full: base }) => own / base);
  const worst = ratios.indexOf(Math.max(...ratios));
  const sources = Object.fromEntries(
    [...new Set(scores.map(({ source }) => source))].map((source) => {
      const at = scores.flatMap((score, number) => (score.source === source ? [number] : []));
      return [source, partOf(pick(scores, at), pick(full, at), sampling)];
    }),
  );
  return {
    name,
    kind,
    all: partOf(scores, full, sampling),
    long: partOf(long(scores), long(full), sampling),
    sources,
    credits: byName(GROUPS, (group) => creditsOf(scores, group)),
    chance: chanceOf(scores),
    tokens: sent(scores) / sent(full),
    peakTokens: Math.max(...scores.map(({ peakTokens }) => peakTokens)),
    costWithoutRecalls: mean(costByTask(costPairs(scores, full, DEFAULT_RULE, false)).values()),
    worstCost: { cost: ratios[worst] ?? Number.NaN, id: scores[worst]?.id ?? "" },
    prices: rules.map((rule) => {
      const own = costPairs(scores, full, rule);
      return {
        rule: rule.name,
        cost: mean(costByTask(own).values()),
        bill: billOf(own),
        longCost: mean(costByTask(long(own)).values()),
        longBill: billOf(long(own)),
        worst: Math.max(...own.map((pair) => pair.own / pair.full)),
      };
    }),
    companions: byName(COMPANIONS, (companion) => ({
      mean: mean(companionByTask(scores, companion).values()),
      asked: pooled(scores.map(({ companions }) => companions[companion])).asked,
    })),
    drift: byName(DRIFT_BUCKETS, (bucket) => driftOf(scores, bucket)),
    invalidViews: scores.reduce((sum, { invalidViews }) => sum + invalidViews, 0),
    views: scores.reduce((sum, { calls }) => sum + calls.length, 0),
    faults: [...new Set(scores.flatMap(({ faults }) => faults))].slice(0, 5),
    policyMs: scores.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0),
  };
}

function partOf(scores: readonly TrajectoryScore[], full: readonly TrajectoryScore[], { tasks, resamples }: Sampling): Part {
  const { bound, fresh, spending } = taskValues(scores, full, tasks);
  const summed = ({ cost, own, full: base }: Spending): SpendingSummary => ({ cost: meanInterval(cost, resamples), bill: ratioInterval(own, base, resamples) });
  return {
    trajectories: scores.length,
    tasks: new Set(scores.map(({ task }) => task)).size,
    bound: meanInterval(bound, resamples),
    fresh: meanInterval(fresh, resamples),
    ...summed(spending.withGaps),
    noGaps: summed(spending.noGaps),
    needsAtRisk: scores.reduce((sum, { credits }) => sum + credits.atRisk.bound.asked, 0),
  };
}

function creditsOf(scores: readonly TrajectoryScore[], group: Group): CreditSummary {
  const of = (credit: "bound" | "visible" | "recoverable" | "lost"): number => mean(creditByTask(scores, group, credit).values());
  const lost = pooled(scores.map(({ credits }) => credits[group].lost));
  return { needs: lost.asked, bound: of("bound"), visible: of("visible"), recoverable: of("recoverable"), lost: of("lost"), lostNeeds: lost.found };
}

function chanceOf(scores: readonly TrajectoryScore[]): PolicySummary["chance"] {
  return {
    bound: mean(byTask(scores, ({ chance }) => chance.bound.mean).values()),
    visible: mean(byTask(scores, ({ chance }) => chance.visible.mean).values()),
    asked: pooled(scores.map(({ chance }) => chance.bound)).asked,
  };
}

function pick<T>(list: readonly T[], at: readonly number[]): T[] {
  return at.flatMap((number) => list.slice(number, number + 1));
}

function byName<K extends string, V>(names: readonly K[], make: (name: K) => V): Record<K, V> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<K, V>;
}
