import { formatTable } from "../table.ts";
import type { Difference } from "./differences.ts";
import type { Interval } from "./measure/bootstrap.ts";
import { COMPANIONS, DRIFT_BUCKETS } from "./measure/measure-policy.ts";
import type { PolicySummary } from "./summarize.ts";

export function printMain(summaries: readonly PolicySummary[]): string {
  const header = ["policy", "bound", "95 %", "visible", "recov.", "lost", "fresh", "self", "prompt", "tokens", "cost", "bill", "worst", "long: bound", "cost", "bill", "no gaps: cost", "bill", "long", "bill", "invalid"]; // prettier-ignore
  return formatTable(
    header,
    summaries.map(({ name, all, long, credits, tokens, worstCost, prices, invalidViews, views }) => [
      name,
      two(all.bound.estimate),
      range(all.bound),
      two(credits.atRisk.visible),
      two(credits.atRisk.recoverable),
      two(credits.atRisk.lost),
      two(all.fresh.estimate),
      two(credits.self.bound),
      two(credits.prompt.bound),
      two(tokens),
      two(all.cost.estimate),
      two(all.bill.estimate),
      two(worstCost.cost),
      two(long.bound.estimate),
      two(long.cost.estimate),
      two(long.bill.estimate),
      two(prices[1]?.cost),
      two(prices[1]?.bill),
      two(prices[1]?.longCost),
      two(prices[1]?.longBill),
      invalidViews === 0 ? "0" : `${Math.round((100 * invalidViews) / views)} %`,
    ]),
  );
}

export function printCompanions(summaries: readonly PolicySummary[]): string {
  const header = ["policy", "user text", "files changed", "repeated failure", "last error", "byte-stable", ...DRIFT_BUCKETS.map((bucket) => `drift ${bucket}`), "peak", "text at risk", "chance bound", "visible", "lost needs: at risk, fresh, spoken, self, prompt", "recalls cost"]; // prettier-ignore
  return formatTable(
    header,
    summaries.map(({ name, companions, drift, peakTokens, credits, chance, all, costWithoutRecalls }) => [
      name,
      ...COMPANIONS.map((companion) => (companion === "promptShown" ? three : two)(companions[companion].mean)),
      ...DRIFT_BUCKETS.map((bucket) => (drift[bucket].asked === 0 ? "-" : two(drift[bucket].share))),
      `${Math.round(peakTokens / 1000)}k`,
      two(credits.textAtRisk.bound),
      three(chance.bound),
      three(chance.visible),
      `${credits.atRisk.lostNeeds} ${credits.fresh.lostNeeds} ${credits.spoken.lostNeeds} ${credits.self.lostNeeds} ${credits.prompt.lostNeeds}`,
      two(all.cost.estimate - costWithoutRecalls),
    ]),
  );
}

export function printSources(summaries: readonly PolicySummary[]): string {
  const sources = Object.keys(summaries[0]?.sources ?? {});
  const header = ["bound @ cost / bill", ...sources.map((source) => `${source} (${summaries[0]?.sources[source]?.needsAtRisk ?? 0})`)];
  return formatTable(
    header,
    summaries.map((summary) => [
      summary.name,
      ...sources.map((source) => {
        const part = summary.sources[source];
        return `${two(part?.bound.estimate)} @ ${two(part?.cost.estimate)} / ${two(part?.bill.estimate)}`;
      }),
    ]),
  );
}

export function printPrices(summaries: readonly PolicySummary[]): string {
  const rules = summaries[0]?.prices.map(({ rule }) => rule) ?? [];
  return formatTable(
    ["cost / bill", ...rules],
    summaries.map(({ name, prices }) => [name, ...prices.map(({ cost, bill }) => `${two(cost)} / ${two(bill)}`)]),
  );
}

export function printDifferences(differences: readonly Difference[]): string {
  return formatTable(
    ["policy", "against", "bound", "95 %", "cost", "95 %", "long: bound", "95 %", "cost", "95 %"],
    differences.map(({ of, against, bound, cost, longBound, longCost }) => [
      of,
      against,
      ...[bound, cost, longBound, longCost].flatMap((interval) => [signed(interval.estimate), `${signed(interval.low)} … ${signed(interval.high)}`]),
    ]),
  );
}

function two(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? "-" : value.toFixed(2);
}

function three(value: number): string {
  return Number.isNaN(value) ? "-" : value.toFixed(3);
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}

function range({ low, high }: Interval): string {
  return `${two(low)}–${two(high)}`;
}
