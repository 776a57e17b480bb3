import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { CORPUS_OPEN } from "../../test/support/corpus.ts";
import type { TokenCounterName } from "./measure/token-counters.ts";
import type { Split } from "./split.ts";

export interface Options {
  readonly help: boolean;
  readonly quick: boolean;
  readonly list: boolean;
  /** Also print tables per source and per price rule. */
  readonly details: boolean;
  /** Run no controls except the full context, which all others are compared with. For tuning. */
  readonly withoutControls: boolean;
  /** Parts of names; empty: all. */
  readonly policies: readonly string[];
  readonly corpus: string;
  readonly json: string | undefined;
  /** The file for the plot, as SVG. */
  readonly plot: string | undefined;
  /** The file for the small plot with few policies, as SVG. */
  readonly overview: string | undefined;
  /** Trajectories with fewer tool calls are not measured, but count as documents. */
  readonly minToolCalls: number;
  readonly tokens: TokenCounterName;
  /** Only some of the tasks, to choose numbers on one part and measure them on another. */
  readonly split: Split | undefined;
}

export const DEFAULT_CORPUS: string = CORPUS_OPEN;

export const HELP: string = `npm run bench:quality -- [options]      (or: node bench/quality/quality.ts [options])

Replays recorded trajectories under each policy. Measures how much of what the agent needed later is still shown (future-reference
recall), and the cost relative to the cached full context. bench/quality/README.md explains the tables.

  --quick              no npm peers, no settings between the presets unless named, 1,000 resamples
  --policies a,b,c     only policies with one of these in their names; the controls always run
  --list               the names of all policies
  --corpus DIR         transcripts; default ${DEFAULT_CORPUS}
  --min-calls N        trajectories with at least N tool calls (15)
  --split K/N          only part K of N (K from 1) of the tasks of each source, assigned by a hash of their names
  --tokens COUNTER     estimate (default), or chars: four characters per token
  --no-controls        no controls except the full context, for tuning
  --details            also print tables per source, per price rule and of all paired differences
  --plot FILE          draw bound recall against cost and bill, as SVG
  --overview FILE      draw the same for a few policies, labelled with their names
  --json FILE          write all numbers, per policy and per trajectory, to FILE
  --help               this text`;

/** Throws on an unknown option, and on one that has no effect. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      list: { type: "boolean", default: false },
      details: { type: "boolean", default: false },
      "no-controls": { type: "boolean", default: false },
      policies: { type: "string", default: "" },
      corpus: { type: "string", default: DEFAULT_CORPUS },
      json: { type: "string" },
      plot: { type: "string" },
      overview: { type: "string" },
      "min-calls": { type: "string", default: "15" },
      tokens: { type: "string", default: "estimate" },
      split: { type: "string" },
    },
  });
  if (values.tokens !== "estimate" && values.tokens !== "chars") throw new Error(`--tokens is estimate or chars, not ${values.tokens}`);
  const minToolCalls = Number(values["min-calls"]);
  if (!Number.isInteger(minToolCalls) || minToolCalls < 0) throw new Error(`--min-calls is a whole number, not ${values["min-calls"]}`);
  return {
    help: values.help,
    quick: values.quick,
    list: values.list,
    details: values.details,
    withoutControls: values["no-controls"],
    policies: values.policies.split(",").map((name) => name.trim()).filter((name) => name !== ""), // prettier-ignore
    corpus: resolve(values.corpus),
    json: values.json,
    plot: values.plot,
    overview: values.overview,
    minToolCalls,
    tokens: values.tokens,
    split: values.split === undefined ? undefined : parseSplit(values.split, "--split"),
  };
}

export function parseSplit(text: string, option: string): Split {
  const [part = Number.NaN, of = Number.NaN] = text.split("/").map(Number);
  if (!Number.isInteger(part) || !Number.isInteger(of) || part < 1 || part > of) throw new Error(`${option} is K/N with K from 1 to N, not ${text}`);
  return { part, of };
}
