/** Fetches the recorded sessions that the tables of this project are based on: `npm run bench:corpus`. */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { CORPUS_LIST, addressOf, readCorpusList, type CorpusFile } from "./fetch/corpus-list.ts";
import { fetchCorpus, writeIndexes, type Outcome } from "./fetch/fetch-corpus.ts";
import { optionsOr } from "./terminal.ts";

const HOST = "https://raw.githubusercontent.com";
const INTO = resolve(import.meta.dirname, "corpus");

const HELP = `npm run bench:corpus -- [options]

Fetches the recorded sessions listed in bench/quality/corpus.json from their public repositories, each at the listed commit, and checks
their hashes. Run it again to fetch missing files: files with the right hash are not fetched twice. The sessions belong to their
authors; the list has each licence. They are for local use: do not commit them.

  --only TEXT      only files with this in "set/file" or in the repository: open/, codex, entireio
  --into DIR       the folder to write to (${INTO})
  --list           print the files with their addresses and licences, and fetch nothing
  --host URL       another host with the same paths: owner/name/commit/path (${HOST})
  --index FILE     another list (bench/quality/corpus.json)
  --timeout S      seconds for one file (60)
  --help           this text

Tests and benchmarks read bench/corpus, or the folder that PALIMPSEST_CORPUS names. The exit code is 1 if a file could not be fetched.`;

interface Options {
  readonly help: boolean;
  readonly list: boolean;
  readonly only: string;
  readonly into: string;
  readonly host: string;
  readonly index: string;
  readonly timeoutMs: number;
}

/** Throws on an unknown option, and on one that has no effect. */
function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", default: false },
      list: { type: "boolean", default: false },
      only: { type: "string", default: "" },
      into: { type: "string", default: INTO },
      host: { type: "string", default: HOST },
      index: { type: "string", default: CORPUS_LIST },
      timeout: { type: "string", default: "60" },
    },
  });
  const seconds = Number(values.timeout);
  if (!(seconds > 0)) throw new Error(`--timeout is a number of seconds, not ${values.timeout}`);
  if (!/^https?:\/\//.test(values.host)) throw new Error(`--host is an address that begins with https://, not ${values.host}`);
  return { ...values, into: resolve(values.into), index: resolve(values.index), timeoutMs: seconds * 1000 };
}

const options = optionsOr(parseOptions, HELP);
if (options.help) console.log(HELP);
else process.exitCode = await run(options);

async function run({ list, only, into, host, index, timeoutMs }: Options): Promise<number> {
  const all = readCorpusList(index);
  const files = all.filter(({ set, file, repo }) => `${set}/${file}`.includes(only) || repo.includes(only));
  if (files.length === 0) {
    console.error(`--only: no file of the list has ${JSON.stringify(only)} in its name or its repository`);
    return 2;
  }
  if (list) {
    for (const file of files) console.log(`${file.set}/${file.file}\n  ${addressOf(file, host)}\n  ${file.licence}, ${file.raw_bytes} bytes`);
    return 0;
  }
  const report = (outcome: Outcome, done: number): void => {
    if (outcome.kind !== "there") console.log(`${done}/${files.length} ${outcome.kind === "fetched" ? "fetched" : "FAILED "} ${nameOf(outcome.file)}`);
  };
  const outcomes = await fetchCorpus(files, { into, host, timeoutMs, retries: 2, retryDelayMs: 1000, onFile: report });
  writeIndexes(all, into);
  return conclude(outcomes, into);
}

function conclude(outcomes: readonly Outcome[], into: string): number {
  const failed = outcomes.filter((outcome) => outcome.kind === "failed");
  const count = (kind: Outcome["kind"]): number => outcomes.filter((outcome) => outcome.kind === kind).length;
  console.log(`\n${count("fetched")} fetched, ${count("there")} already there, ${failed.length} could not be fetched. They are in ${into}.`);
  for (const { file, address, reason } of failed) console.log(`\n${nameOf(file)}\n  ${address}\n  ${reason}`);
  if (failed.length > 0) console.log("\nRun it again to retry these. Tables based on them will differ without them.");
  return failed.length > 0 ? 1 : 0;
}

function nameOf({ set, file }: CorpusFile): string {
  return `${set}/${file}`;
}
