import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { CORPUS_OPEN } from "../test/support/corpus.ts";

export interface Options {
  readonly help: boolean;
  readonly quick: boolean;
  /** A deep copy of the thread for every run. */
  readonly fresh: boolean;
  /** Exit with code 1 if the goal is missed. */
  readonly assert: boolean;
  readonly json: string | undefined;
  readonly corpus: string;
  /** The folder was named on the command line, so it must exist. */
  readonly corpusIsGiven: boolean;
  /** Recorded sessions of any format. */
  readonly sessions: string;
}

const DEFAULT_SESSIONS = CORPUS_OPEN;
const DEFAULT_CORPUS = resolve(DEFAULT_SESSIONS, "claude-code");

export const HELP: string = `npm run bench:speed -- [options]      (or: node bench/speed.ts [options])

Times palimpsest's functions against similar operations of other packages, on the same threads, in one run.

  --quick          fewer rounds: about a third of the time, more noise
  --fresh          a deep copy of the thread for every run of every package (slow; shows what caches would hide)
  --assert         exit code 1 if a ratio is above 1.0 or a time is not linear
  --json FILE      write all numbers to FILE
  --corpus DIR     Claude Code sessions (.jsonl, .jsonl.gz); default ${DEFAULT_CORPUS}
  --sessions DIR   sessions of any format, to time the policy; default ${DEFAULT_SESSIONS}
  --help           this text

Compare only ratios within one run: the same code takes a different time on another machine or at another hour.`;

/** Throws what `parseArgs` throws on an unknown option. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      fresh: { type: "boolean", default: false },
      assert: { type: "boolean", default: false },
      json: { type: "string" },
      corpus: { type: "string" },
      sessions: { type: "string", default: DEFAULT_SESSIONS },
    },
  });
  return {
    ...values,
    json: values.json,
    corpus: resolve(values.corpus ?? DEFAULT_CORPUS),
    corpusIsGiven: values.corpus !== undefined,
    sessions: resolve(values.sessions),
  };
}
