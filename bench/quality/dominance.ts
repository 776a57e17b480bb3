import type { Difference } from "./differences.ts";
import type { Interval } from "./measure/bootstrap.ts";
import type { Part, PolicySummary } from "./summarize.ts";
import { ACCOUNTINGS, type Accounting } from "./task-values.ts";

/** A policy that costs more than this saves too little to be a rival. */
export const RIVAL_PRICE = 0.95;

export const SCOPES = ["all", "long"] as const;
export type Scope = (typeof SCOPES)[number];
export const MEASURES = ["cost", "bill"] as const;
export type Measure = (typeof MEASURES)[number];

/** `yes`: the 95 % interval of the difference is above zero. `unsure`: it has zero in it. */
export type Answer = "yes" | "unsure" | "no";

/** Whether one of our points costs no more and keeps more. */
export interface Verdict {
  readonly rival: string;
  readonly bound: number;
  readonly price: number;
  readonly answer: Answer;
  /** Our point that beats it by most; none if all our points cost more. */
  readonly by: Dominator | undefined;
}

export interface Dominator {
  readonly name: string;
  readonly bound: number;
  readonly price: number;
  /** Ours less theirs, paired. */
  readonly boundDifference: Interval;
  readonly priceDifference: Interval;
}

export interface Dominance {
  readonly scope: Scope;
  readonly measure: Measure;
  readonly accounting: Accounting;
  readonly verdicts: readonly Verdict[];
  /** Our cheapest point with valid views. */
  readonly cheapest: { readonly name: string; readonly bound: number; readonly price: number } | undefined;
  /** Contestants that are not compared, with the reason. */
  readonly leftOut: readonly { readonly name: string; readonly why: "invalid views" | "too dear" }[];
}

/** Returns results for every scope, measure and accounting; those by recorded times first. */
export function dominanceOf(summaries: readonly PolicySummary[], differences: readonly Difference[]): Dominance[] {
  const accountings = (Object.keys(ACCOUNTINGS) as Accounting[]).toSorted().toReversed();
  return accountings.flatMap((accounting) =>
    SCOPES.flatMap((scope) => MEASURES.map((measure) => dominanceIn({ scope, measure, accounting }, summaries, differences))),
  );
}

type Where = Pick<Dominance, "scope" | "measure" | "accounting">;

function dominanceIn(where: Where, summaries: readonly PolicySummary[], differences: readonly Difference[]): Dominance {
  const ours = summaries.filter(({ kind, invalidViews }) => kind === "ours" && invalidViews === 0);
  const contestants = summaries.filter(({ kind }) => kind !== "ours" && kind !== "control");
  const isInvalid = ({ invalidViews }: PolicySummary): boolean => invalidViews > 0;
  const isTooDear = (summary: PolicySummary): boolean => !(priceOf(summary[where.scope], where) <= RIVAL_PRICE);
  return {
    ...where,
    verdicts: contestants.filter((rival) => !isInvalid(rival) && !isTooDear(rival)).map((rival) => verdictOn(rival, ours, where, differences)),
    cheapest: ours
      .map(({ name, [where.scope]: part }) => ({ name, bound: part.bound.estimate, price: priceOf(part, where) }))
      .toSorted((a, b) => a.price - b.price)[0],
    leftOut: contestants
      .filter((rival) => isInvalid(rival) || isTooDear(rival))
      .map((rival) => ({ name: rival.name, why: isInvalid(rival) ? "invalid views" : "too dear" })),
  };
}

function verdictOn(rival: PolicySummary, ours: readonly PolicySummary[], where: Where, differences: readonly Difference[]): Verdict {
  const own = rival[where.scope];
  const price = priceOf(own, where);
  const candidates = ours.flatMap((summary): Dominator[] => {
    const part = summary[where.scope];
    const difference = differences.find(({ of, against }) => of === summary.name && against === rival.name)?.[where.scope];
    if (difference === undefined || !(priceOf(part, where) <= price)) return [];
    const measured = { bound: part.bound.estimate, price: priceOf(part, where) };
    return [{ name: summary.name, ...measured, boundDifference: difference.bound, priceDifference: difference[where.accounting][where.measure] }];
  });
  const [best] = candidates.toSorted((a, b) => rank(b.boundDifference) - rank(a.boundDifference) || b.boundDifference.estimate - a.boundDifference.estimate);
  return { rival: rival.name, bound: own.bound.estimate, price, answer: best === undefined ? "no" : answerOf(best.boundDifference), by: best };
}

function answerOf({ estimate, low }: Interval): Answer {
  if (low > 0) return "yes";
  return estimate > 0 ? "unsure" : "no";
}

const RANKS: Readonly<Record<Answer, number>> = { yes: 2, unsure: 1, no: 0 };

function rank(difference: Interval): number {
  return RANKS[answerOf(difference)];
}

function priceOf(part: Part, { measure, accounting }: Where): number {
  return (accounting === "noGaps" ? part.noGaps : part)[measure].estimate;
}
