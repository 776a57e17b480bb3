/** Measures what the presets keep and cost on held-back repositories: `npm run bench:held-back -- --help`. */
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { PRESETS, type PresetName } from "../../src/policy/policy-options.ts";
import { CORPUS_MORE, CORPUS_OPEN } from "../../test/support/corpus.ts";
import { formatTable } from "../table.ts";
import { optionsOr } from "../terminal.ts";
import { marksFrom, scoresOf, type Marks } from "./judge.ts";
import { creditByTask } from "./measure/aggregate.ts";
import { drawResamples, meanInterval, RESAMPLES } from "./measure/bootstrap.ts";
import type { TrajectoryScore } from "./measure/measure-policy.ts";
import { parseSplit } from "./options.ts";
import { fullContext } from "./policies/controls.ts";
import { ours } from "./policies/ours.ts";
import { prepareCorpus } from "./prepare-corpus.ts";
import { createProgress } from "./progress.ts";
import { partOfRepository, readRepositories } from "./repositories.ts";
import type { Split } from "./split.ts";

const HELP = `npm run bench:held-back -- [options]      (or: node bench/quality/held-back.ts [options])

Measures the presets on one held-back part of the repositories and on all others. A repository is in the same part in every corpus.

  --keep-back K/N hold back part K of N of the repositories, by a hash of their names (4/4)
  --corpus DIR    transcripts with an INDEX.json that names their repositories; may be repeated
                  (${CORPUS_OPEN} and ${CORPUS_MORE})
  --help          this text`;

interface HeldBackOptions {
  readonly help: boolean;
  readonly keptBack: Split;
  readonly corpora: readonly string[];
}

/** Scores of one policy and of the full context, trajectory by trajectory. */
interface Judged {
  readonly corpus: string;
  readonly repository: string;
  readonly full: TrajectoryScore;
  readonly presets: Readonly<Record<PresetName, TrajectoryScore>>;
}

const NAMES = Object.keys(PRESETS) as readonly PresetName[];

const options = optionsOr(parseHeldBackOptions, HELP);
if (options.help) console.log(HELP);
else await run(options);

function parseHeldBackOptions(args: readonly string[]): HeldBackOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", default: false },
      "keep-back": { type: "string", default: "4/4" },
      corpus: { type: "string", multiple: true, default: [CORPUS_OPEN, CORPUS_MORE] },
    },
  });
  return { help: values.help, keptBack: parseSplit(values["keep-back"], "--keep-back"), corpora: values.corpus.map((corpus) => resolve(corpus)) };
}

async function run({ keptBack: { part, of }, corpora }: HeldBackOptions): Promise<void> {
  const judged = await judge(corpora);
  const isBack = ({ repository }: Judged): boolean => partOfRepository(repository, of) === part;
  const names = [...new Set(judged.filter(isBack).map(({ repository }) => repository))];
  console.log(`Kept back, part ${part} of ${of}: ${names.toSorted().join(", ") || "none"}\n`);
  const scopes = corpora.map((corpus) => ({ name: basename(corpus), list: judged.filter((each) => each.corpus === corpus) }));
  if (scopes.length > 1) scopes.push({ name: "all", list: judged });
  const rows = NAMES.flatMap((preset) =>
    scopes.flatMap(({ name, list }) => [
      rowOf(preset, name, "kept back", list.filter(isBack)),
      rowOf(preset, name, "the others", list.filter((each) => !isBack(each))), // prettier-ignore
      rowOf(preset, name, "together", list),
    ]),
  );
  console.log(formatTable(["preset", "corpus", "repositories", "sessions", "needs at risk", "bound", "95 %", "fresh", "cost", "bill", "worst"], rows));
}

async function judge(corpora: readonly string[]): Promise<Judged[]> {
  const progress = createProgress();
  const judged: Judged[] = [];
  for (const corpus of corpora) {
    const repositories = readRepositories(corpus);
    const trajectories = await prepareCorpus({ corpus, minToolCalls: 15, tokens: "estimate", split: undefined }, progress);
    const scored = async (policy: Parameters<typeof scoresOf>[1]): Promise<TrajectoryScore[]> => {
      progress.stage(`${basename(corpus)}, ${policy.name}`);
      return scoresOf(trajectories, policy);
    };
    const full = await scored(fullContext);
    const presets = new Map<PresetName, TrajectoryScore[]>();
    for (const preset of NAMES) presets.set(preset, await scored(ours(preset, { preset })));
    for (const [number, score] of full.entries()) {
      const file = score.id.slice(0, score.id.indexOf("#"));
      const repository = repositories.get(file);
      if (repository === undefined) throw new Error(`${corpus}/INDEX.json does not name the repository of ${file}`);
      const own = NAMES.map((name) => [name, presets.get(name)?.[number]]);
      judged.push({ corpus, repository, full: score, presets: Object.fromEntries(own) as Judged["presets"] });
    }
  }
  progress.end();
  return judged;
}

function rowOf(preset: PresetName, corpus: string, which: string, list: readonly Judged[]): string[] {
  const scores = list.map(({ presets }) => presets[preset]);
  const { bound, fresh, cost, bill, worst }: Marks = marksFrom(scores, list.map(({ full }) => full)); // prettier-ignore
  const needs = scores.reduce((sum, { credits }) => sum + credits.atRisk.bound.asked, 0);
  const byTask = [...creditByTask(scores, "atRisk", "bound").values()];
  const { low, high } = meanInterval(byTask, drawResamples(byTask.length, RESAMPLES));
  const shown = [fresh, cost, bill, worst].map(three);
  return [preset, corpus, which, `${list.length}`, `${needs}`, three(bound), `${three(low)}–${three(high)}`, ...shown];
}

function three(mark: number): string {
  return Number.isFinite(mark) ? mark.toFixed(3) : "-";
}
