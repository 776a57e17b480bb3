/** Chooses numbers on some of the tasks and measures them on the held-back ones: `npm run bench:tune -- --help`. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { PRESETS, type PolicyNumbers, type PresetName } from "../../src/policy/policy-options.ts";
import { formatTable } from "../table.ts";
import { optionsOr } from "../terminal.ts";
import { Judge, type Marks } from "./judge.ts";
import type { PreparedTrajectory } from "./measure/prepare.ts";
import { DEFAULT_CORPUS, parseSplit } from "./options.ts";
import { prepareCorpus } from "./prepare-corpus.ts";
import { createProgress } from "./progress.ts";
import { partOf, type Split } from "./split.ts";
import { settingFor, GRIDS, namedWorths, searchWorths, shippedWorths, useWorths } from "./search.ts";

const HELP = `npm run bench:tune -- --keep-back K/N      (or: node bench/quality/tune.ts --keep-back K/N)

Chooses the worths of words and the numbers of the presets from scratch, on all tasks except part K of N, by the rule in search.ts. Then
measures them on that part and on all tasks, next to the shipped numbers. Takes about half an hour.

  --keep-back K/N the part that is held back (4/4)
  --sweeps N      how often each worth is tried larger and smaller (3)
  --corpus DIR    transcripts; default ${DEFAULT_CORPUS}
  --help          this text`;

interface TuneOptions {
  readonly help: boolean;
  readonly keptBack: Split;
  readonly sweeps: number;
  readonly corpus: string;
}

function parseTuneOptions(args: readonly string[]): TuneOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", default: false },
      "keep-back": { type: "string", default: "4/4" },
      sweeps: { type: "string", default: "3" },
      corpus: { type: "string", default: DEFAULT_CORPUS },
    },
  });
  const sweeps = Number(values.sweeps);
  if (!Number.isInteger(sweeps) || sweeps < 0) throw new Error(`--sweeps is a whole number, not ${values.sweeps}`);
  return { help: values.help, keptBack: parseSplit(values["keep-back"], "--keep-back"), sweeps, corpus: resolve(values.corpus) };
}

const options = optionsOr(parseTuneOptions, HELP);
if (options.help) console.log(HELP);
else await tune(options);

async function tune({ keptBack, sweeps, corpus }: TuneOptions): Promise<void> {
  const progress = createProgress();
  const all = await prepareCorpus({ corpus, minToolCalls: 15, tokens: "chars", split: undefined }, progress);
  const back = trajectoriesOf(all, keptBack);
  const seen = all.filter((trajectory) => !back.includes(trajectory));
  const own = await Judge.of(seen);
  const judges = { "what was kept back": await Judge.of(back), all: await Judge.of(all) };
  const folds = await Promise.all([1, 2, 3, 4].map((part) => Judge.of(trajectoriesOf(seen, { part, of: 4 }))));
  const worths = await searchWorths(folds, sweeps, (sweep, score) => {
    progress.stage(`worths of words, sweep ${sweep} of ${sweeps}: ${score.toFixed(4)}`);
  });
  const rows: string[][] = [];
  for (const preset of Object.keys(GRIDS) as PresetName[]) {
    progress.stage(`the numbers of ${preset}`);
    const found = await settingFor(own, preset);
    console.log(`${preset}: ${JSON.stringify(found.numbers)}${found.meets ? "" : ", which do not meet all that is asked of them"}`);
    useWorths(worths);
    const numbers: Partial<PolicyNumbers> = found.numbers;
    rows.push(rowOf(`${preset}, chosen, on what it was chosen on`, await own.marksOf({ preset, ...numbers })));
    for (const [name, judge] of Object.entries(judges)) {
      useWorths(worths);
      rows.push(rowOf(`${preset}, chosen, on ${name}`, await judge.marksOf({ preset, ...numbers })));
      useWorths(shippedWorths);
      rows.push(rowOf(`${preset}, as shipped, on ${name}`, await judge.marksOf({ preset, ...PRESETS[preset] })));
    }
    useWorths(worths);
  }
  progress.end();
  console.log(`\nWhat words are worth, chosen on all but part ${keptBack.part} of ${keptBack.of} (new, again, used):`);
  console.log(formatTable(["shape", "chosen", "as shipped"], namedWorths(worths)));
  console.log(`\n${formatTable(["preset", "bound", "long", "fresh", "self", "cost", "bill", "worst"], rows)}`);
}

function trajectoriesOf(trajectories: readonly PreparedTrajectory[], split: Split): readonly PreparedTrajectory[] {
  const recordings = new Set(partOf(trajectories.map(({ recording }) => recording), split)); // prettier-ignore
  return trajectories.filter(({ recording }) => recordings.has(recording));
}

function rowOf(name: string, { bound, longBound, fresh, self, cost, bill, worst }: Marks): string[] {
  return [name, ...[bound, longBound, fresh, self, cost, bill, worst].map((mark) => mark.toFixed(3))];
}
