import { formatTable } from "../table.ts";
import type { Difference } from "./differences.ts";
import { RIVAL_PRICE, type Answer, type Dominance } from "./dominance.ts";
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

/** What must be all of it is told more closely. */
const IN_FULL: ReadonlySet<string> = new Set(["promptShown", "seenWhole", "listsAnswered"]);

export function printCompanions(summaries: readonly PolicySummary[]): string {
  const header = ["policy", "user text", "files changed", "repeated failure", "last error", "byte-stable", "small results seen whole", "lists answered", ...DRIFT_BUCKETS.map((bucket) => `drift ${bucket}`), "peak", "text at risk", "chance bound", "visible", "lost needs: at risk, fresh, spoken, self, prompt", "recalls cost"]; // prettier-ignore
  return formatTable(
    header,
    summaries.map(({ name, companions, drift, peakTokens, credits, chance, all, costWithoutRecalls }) => [
      name,
      ...COMPANIONS.map((companion) => (IN_FULL.has(companion) ? three : two)(companions[companion].mean)),
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
  const rows = sources.flatMap((source) =>
    summaries.flatMap(({ name, sources: { [source]: part } }, number) => {
      if (part === undefined) return [];
      const { bound, cost, bill, tasks, needsAtRisk } = part;
      const size = number === 0 ? [source, `${tasks}`, `${needsAtRisk}`] : ["", "", ""];
      return [[...size, name, ...[bound, cost, bill].flatMap((interval) => [two(interval.estimate), range(interval)])]];
    }),
  );
  return formatTable(["source", "tasks", "at risk", "policy", "bound", "95 %", "cost", "95 %", "bill", "95 %"], rows);
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
    ["policy", "against", ...["bound", "cost", "bill", "long: bound", "cost", "bill"].flatMap((part) => [part, "95 %"])],
    differences.map(({ of, against, all, long }) => [
      of,
      against,
      ...[all, long].flatMap(({ bound, noGaps: { cost, bill } }) =>
        [bound, cost, bill].flatMap((interval) => [signed(interval.estimate), signedRange(interval)]),
      ),
    ]),
  );
}

const ANSWERS: Readonly<Record<Answer, string>> = { yes: "yes", unsure: "keeps more, but the interval has zero in it", no: "no" };

const DOMINANCE = `Is there a setting of ours that is no dearer and keeps more? By the recorded times, and without gaps. Compared with every
contestant that always sends valid views and costs at most ${RIVAL_PRICE}. "yes": the paired 95 % interval of bound recall, ours less theirs, is above zero.`;

/** One table for each way to count. */
export function printDominance(dominance: readonly Dominance[]): string {
  return [DOMINANCE, ...dominance.map((each) => [dominanceTitle(each), dominanceTable(each), dominanceNotes(each)].join("\n\n"))].join("\n\n");
}

function dominanceTitle({ scope, measure, accounting, verdicts }: Dominance): string {
  const count = (answer: Answer): number => verdicts.filter((verdict) => verdict.answer === answer).length;
  const where = `${scope === "all" ? "All trajectories" : "Long trajectories"}, by ${measure === "cost" ? "cost (mean over tasks)" : "bill (one sum)"}`;
  return `${where}, ${accounting === "noGaps" ? "without gaps" : "by the recorded times"}: yes ${count("yes")}, keeps more ${count("unsure")}, no ${count("no")}, of ${verdicts.length}.`;
}

function dominanceNotes({ cheapest, leftOut }: Dominance): string {
  const names = (why: string): string => leftOut.filter((other) => other.why === why).map(({ name }) => name).join("; "); // prettier-ignore
  const notes = [
    ["Cheapest of ours", cheapest === undefined ? "" : `${cheapest.name}, ${two(cheapest.bound)} at ${two(cheapest.price)}`],
    ["Left out, invalid views", names("invalid views")],
    [`Left out, over ${RIVAL_PRICE}`, names("too dear")],
  ];
  return notes.flatMap(([what = "", text = ""]) => (text === "" ? [] : [`${what}: ${text}`])).join("\n");
}

function dominanceTable({ measure, verdicts }: Dominance): string {
  return formatTable(
    ["contestant", "bound", measure, "ours", "bound", measure, "Δ bound", "95 %", `Δ ${measure}`, "95 %", "dominated"],
    verdicts.map(({ rival, bound, price, answer, by }) => [
      rival,
      two(bound),
      two(price),
      ...(by === undefined
        ? ["none is as cheap", "", "", "", "", "", ""]
        : [by.name, two(by.bound), two(by.price), ...[by.boundDifference, by.priceDifference].flatMap((each) => [signed(each.estimate), signedRange(each)])]),
      ANSWERS[answer],
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

function signedRange({ low, high }: Interval): string {
  return `${signed(low)} … ${signed(high)}`;
}
