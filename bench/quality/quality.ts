/** Future-reference recall and cached cost: see README.md, or `node bench/quality/quality.ts --help`. */
import { writeFileSync } from "node:fs";
import { differencesOf, type Difference } from "./differences.ts";
import { dominanceOf, type Dominance } from "./dominance.ts";
import { drawResamples, RESAMPLES } from "./measure/bootstrap.ts";
import { costOfCalls, DEFAULT_RULE } from "./measure/cost.ts";
import { measurePolicy, type TrajectoryScore } from "./measure/measure-policy.ts";
import type { PreparedTrajectory } from "./measure/prepare.ts";
import { HELP, parseOptions, type Options } from "./options.ts";
import type { Contestant } from "./policies/contestant.ts";
import { CONTESTANTS, CONTROLS, loadPeers, SETTINGS_BETWEEN } from "./policies/index.ts";
import { prepareCorpus } from "./prepare-corpus.ts";
import { allPriceRules } from "./price-rules.ts";
import { printCompanions, printDifferences, printDominance, printMain, printPrices, printSources } from "./print-report.ts";
import { presetOrder, printOrder, type OrderStep } from "./preset-order.ts";
import { createProgress } from "./progress.ts";
import { summarize, type PolicySummary, type Run } from "./summarize.ts";
import { optionsOr } from "../terminal.ts";

const QUICK_RESAMPLES = 1_000;
const progress = createProgress();

const options = optionsOr(parseOptions, HELP);
if (options.help) console.log(HELP);
else await run(options);

async function run(chosen: Options): Promise<void> {
  const contestants = await contestantsFor(chosen);
  if (chosen.list) {
    for (const { name, kind } of contestants) console.log(`${kind.padEnd(9)} ${name}`);
    return;
  }
  const trajectories = await prepareCorpus(chosen, progress);
  if (trajectories.length === 0) throw new Error(`no trajectory with ${chosen.minToolCalls} or more tool calls in ${chosen.corpus}`);
  const runs: Run[] = [];
  for (const [number, contestant] of contestants.entries()) {
    runs.push(await runOf(contestant, trajectories, `policy ${number + 1} of ${contestants.length}, ${contestant.name}`));
  }
  const [full] = runs;
  if (full === undefined) return;
  const tasks = [...new Set(trajectories.map(({ recording }) => recording.task))];
  const sampling = { tasks, resamples: drawResamples(tasks.length, chosen.quick ? QUICK_RESAMPLES : RESAMPLES) };
  progress.stage("summing up");
  const rules = allPriceRules();
  const summaries = runs.map((each) => summarize(each, full.scores, rules, sampling));
  const ours = runs.filter(({ kind }) => kind === "ours");
  const differences = differencesOf(ours, runs.filter(({ kind }) => kind !== "control"), full.scores, sampling); // prettier-ignore
  const dominance = dominanceOf(summaries, differences);
  progress.end();
  const order = presetOrder(runs);
  print(chosen, trajectories, { summaries, differences, dominance, order });
  if (chosen.json !== undefined) {
    const perTrajectory = runs.map(({ name, scores }) => ({ name, scores: scores.map((score, number) => rowOf(score, full.scores[number] ?? score)) }));
    writeFileSync(
      chosen.json,
      `${JSON.stringify({ options: chosen, tasks: tasks.length, summaries, dominance, order, differences, trajectories: perTrajectory }, null, 1)}\n`,
    );
  }
  // Loaded only here: what draws is installed in `bench/node_modules` and nowhere else.
  if (chosen.plot !== undefined) writeFileSync(chosen.plot, await (await import("./plot.ts")).plotOf(summaries));
  if (chosen.overview !== undefined) writeFileSync(chosen.overview, await (await import("./overview-plot.ts")).overviewPlotOf(summaries));
}

/** A trajectory in the JSON: its sizes summed up, and its cost beside that of the full context. */
function rowOf({ calls, ...score }: TrajectoryScore, full: TrajectoryScore): object {
  const { sent, recalls } = costOfCalls(calls, DEFAULT_RULE);
  const base = costOfCalls(full.calls, DEFAULT_RULE).sent;
  return {
    ...score,
    calls: calls.length,
    tokens: calls.reduce((sum, { tokens }) => sum + tokens, 0),
    sent,
    recalls,
    full: base,
    cost: (sent + recalls) / base,
  };
}

async function contestantsFor({ policies, quick, withoutControls }: Options): Promise<readonly Contestant[]> {
  const withBetween = !quick || policies.some((part) => part.includes("between"));
  const all = [...CONTESTANTS, ...(withBetween ? SETTINGS_BETWEEN : []), ...(quick ? [] : await loadPeers())];
  const isChosen = ({ name }: Contestant): boolean => policies.length === 0 || policies.some((part) => name.includes(part));
  const unknown = policies.filter((part) => !all.some(({ name }) => name.includes(part)));
  if (unknown.length > 0 && !quick) throw new Error(`no policy has ${unknown.map((part) => `"${part}"`).join(", ")} in its name; --list names them`);
  return [...(withoutControls ? CONTROLS.slice(0, 1) : CONTROLS), ...all.filter(isChosen)];
}

async function runOf({ name, kind, policyFor, schemaTokens = 0 }: Contestant, trajectories: readonly PreparedTrajectory[], stage: string): Promise<Run> {
  const scores: TrajectoryScore[] = [];
  for (const [number, trajectory] of trajectories.entries()) {
    progress.stage(stage, { done: number, of: trajectories.length });
    scores.push(await measurePolicy(trajectory, policyFor(trajectory), { schemaTokens }));
  }
  return { name, kind, scores };
}

interface Report {
  readonly summaries: readonly PolicySummary[];
  readonly differences: readonly Difference[];
  readonly dominance: readonly Dominance[];
  readonly order: readonly OrderStep[];
}

function print(chosen: Options, trajectories: readonly PreparedTrajectory[], { summaries, differences, dominance, order }: Report): void {
  const all = summaries[0]?.all;
  const long = summaries[0]?.long;
  console.log(
    `${trajectories.length} trajectories with ${chosen.minToolCalls} or more tool calls (${all?.tasks ?? 0} tasks), ${summaries[0]?.views ?? 0} model calls, ${all?.needsAtRisk ?? 0} needs at risk; ` +
      `long: ${long?.trajectories ?? 0} with ${long?.needsAtRisk ?? 0}. Cost beside the cached full context, w 1.25, r 0.1, 5 minutes; "no gaps" without the time to live.\n`,
  );
  console.log(`${printMain(summaries)}\n\n${printCompanions(summaries)}\n`);
  if (order.length > 0) console.log(`${printOrder(order)}\n`);
  if (chosen.details) console.log(`${printSources(summaries)}\n\n${printPrices(summaries)}\n`);
  if (chosen.details && differences.length > 0) console.log(`Paired differences, no gaps, bootstrap over tasks\n\n${printDifferences(differences)}\n`);
  for (const { name, faults } of summaries) if (faults.length > 0) console.log(`faults of ${name}: ${faults.join(" | ")}`);
  if (differences.length > 0) console.log(`\n${printDominance(dominance)}`);
}
