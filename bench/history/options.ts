import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { CORPUS_OPEN } from "../../test/support/corpus.ts";

export interface Options {
  readonly help: boolean;
  readonly quick: boolean;
  /** Exit with code 1 if a goal is missed. */
  readonly assert: boolean;
  /** PostgreSQL with partitioned commit tables. */
  readonly partitioned: boolean;
  /** Empty: all. */
  readonly only: readonly string[];
  readonly json: string | undefined;
  /** The number of commits in the full store, over all threads. */
  readonly commits: number;
  readonly corpus: string;
  /** The folder was named on the command line, so it must exist. */
  readonly corpusIsGiven: boolean;
}

const DEFAULT_CORPUS = CORPUS_OPEN;
const FEWEST_COMMITS = 10_000;
const COMMITS = 1_000_000;
const COMMITS_QUICK = 100_000;

export const SECTIONS: readonly string[] = ["appends", "writers", "room", "calls", "compaction", "opening", "retention", "notes", "queries"];

export const HELP: string = `npm run bench:history -- [options]      (or: node bench/history.ts [options])

Measures histories in memory, in SQLite and in PostgreSQL: appends compared with bare inserts of the same rows, disk space, the time
to open a long thread, the cost per model call, notes, and queries in a full store.

  --quick          fewer rounds, and a full store of ${COMMITS_QUICK.toLocaleString("en")} commits
  --only a,b       only these sections: ${SECTIONS.join(", ")}
  --commits N      the number of commits in the full store (${COMMITS.toLocaleString("en")}), at least ${FEWEST_COMMITS.toLocaleString("en")}
  --partitioned    PostgreSQL with partitions, as in docs/scaling.md
  --assert         exit code 1 if a goal is missed
  --json FILE      write all numbers to FILE
  --corpus DIR     recorded conversations; default ${DEFAULT_CORPUS}, or else the demo session
  --help           this text

PostgreSQL is started for the run, with its files in a folder that is removed at the end.`;

/** Throws on an unknown option, and on one that has no effect. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      assert: { type: "boolean", default: false },
      partitioned: { type: "boolean", default: false },
      only: { type: "string" },
      json: { type: "string" },
      commits: { type: "string" },
      corpus: { type: "string" },
    },
  });
  const commits = Number(values.commits ?? (values.quick ? COMMITS_QUICK : COMMITS));
  if (!Number.isInteger(commits) || commits < FEWEST_COMMITS) throw new Error(`--commits: expected a whole number from ${FEWEST_COMMITS}`);
  const only = values.only?.split(",") ?? [];
  const unknown = only.filter((name) => !SECTIONS.includes(name));
  if (unknown.length > 0) throw new Error(`--only: expected ${SECTIONS.join(", ")}; found ${unknown.join(", ")}`);
  const corpus = resolve(values.corpus ?? DEFAULT_CORPUS);
  return { ...values, only, json: values.json, commits, corpus, corpusIsGiven: values.corpus !== undefined };
}
