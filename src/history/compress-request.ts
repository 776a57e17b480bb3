import { invalid, PalimpsestError } from "../errors/palimpsest-error.ts";
import { parseOptions, positiveInteger, string, type Field } from "../errors/parse-options.ts";
import { isEdited, isSaid } from "./commit-content.ts";
import { commitLike, entryIn, hashOf, type CommitLike } from "./commit-lookup.ts";
import { turnUnits, type Chosen } from "./compress-runs.ts";
import { unitsUnder } from "./edit-commits.ts";
import { text as someText } from "./history-input.ts";
import type { BranchState } from "./branch-state.ts";
import type { Entry, Unit } from "./commit-index.ts";

export interface CompressOptions {
  /** The commits to summarize. An edit stands for what it changes. */
  readonly commits?: readonly CommitLike[];
  /** Instead of `commits`: from `from` (default: the first) to `to` (default: the last), both included. */
  readonly from?: CommitLike;
  readonly to?: CommitLike;
  /** Default: `TOOL_SUMMARIZE_SYSTEM`. */
  readonly systemPrompt?: string;
  readonly instructions?: string;
  /** Commits among these that stay as they are. */
  readonly preserve?: readonly CommitLike[];
  /** For all summaries together, divided among them by size. */
  readonly targetTokens?: number;
  /** Your own summary instead of the summarizer's; with several runs, one for each. Covers error results too, as you asked for it explicitly. */
  readonly content?: string | readonly string[];
}

export interface CompressToolCallsOptions {
  /** Only the turns that call this tool. */
  readonly name?: string;
  readonly targetTokens?: number;
  readonly instructions?: string;
}

export interface CompressRequest {
  readonly commits: readonly CommitLike[] | undefined;
  readonly from: CommitLike | undefined;
  readonly to: CommitLike | undefined;
  readonly systemPrompt: string | undefined;
  readonly instructions: string | undefined;
  readonly preserve: readonly CommitLike[];
  readonly targetTokens: number | undefined;
  readonly content: readonly string[] | undefined;
  /** Skip summaries that would not shorten the view. False if the commits were named: then do as asked. */
  readonly onlyShorter: boolean;
}

const list: Field<readonly CommitLike[]> = {
  expected: "an array of commits or their hashes",
  accepts: (value): value is readonly CommitLike[] => Array.isArray(value),
};
const summaries: Field<string | readonly string[]> = {
  expected: "a summary that is not blank, or one for each run",
  accepts: (value): value is string | readonly string[] =>
    someText.accepts(value) || (Array.isArray(value) && value.length > 0 && value.every(someText.accepts)),
};

export function parseCompress(options: CompressOptions): CompressRequest {
  const given = parseOptions(options, "options", {
    commits: list,
    from: commitLike,
    to: commitLike,
    systemPrompt: string,
    instructions: string,
    preserve: list,
    targetTokens: positiveInteger,
    content: summaries,
  });
  const { commits, from, to, systemPrompt, instructions, preserve = [], targetTokens, content } = given;
  const isRange = from !== undefined || to !== undefined;
  if (isRange === (commits !== undefined)) throw invalid("INVALID_OPTION", "options.commits", "either commits, or from and to", commits);
  if (commits?.length === 0) throw nothingChosen();
  return {
    commits,
    from,
    to,
    systemPrompt,
    instructions,
    preserve,
    targetTokens,
    content: typeof content === "string" ? [content] : content,
    onlyShorter: false,
  };
}

const TOOL_CALL_FIELDS = { name: string, targetTokens: positiveInteger, instructions: string };

/** Parses a request for tool turns: all of them unless commits are given. Turns that wait for a result are left alone. */
export function parseCompressToolCalls(
  commits: readonly CommitLike[] | undefined,
  options: CompressToolCallsOptions,
): { readonly name: string | undefined; readonly request: CompressRequest } {
  const { name, targetTokens, instructions } = parseOptions(options, "options", TOOL_CALL_FIELDS);
  if (commits !== undefined && !list.accepts(commits)) throw invalid("INVALID_INPUT", "commits", list.expected, commits);
  if (commits?.length === 0) throw nothingChosen();
  const rest = { from: undefined, to: undefined, systemPrompt: undefined, preserve: [], content: undefined };
  return { name, request: { commits, instructions, targetTokens, onlyShorter: true, ...rest } };
}

/** Chooses tool turns, among all commits or the given ones, without the last answer among them. */
export function chooseTurns(state: BranchState, request: CompressRequest, name: string | undefined): Chosen {
  const given = request.commits === undefined ? undefined : choose(state, request).units;
  const turns = turnUnits(state, name);
  const units = new Set(given === undefined ? turns : name === undefined ? given : [...given].filter((number) => turns.has(number)));
  if (units.size === 0) throw nothingChosen();
  const answer = [...units].sort((a, b) => a - b).findLast((number) => isAnswer(state.units[number]));
  return { units, preserved: new Set(answer === undefined ? [] : [answer]), keepsErrors: true };
}

function isAnswer(unit: Unit | undefined): boolean {
  return unit?.commit.role === "assistant" && (unit.commit.calls ?? []).length === 0;
}

/** Returns the requested commits as units of the log. Throws for commits that are not in it, and for preserved ones that were not requested. */
export function choose(state: BranchState, { commits, from, to, preserve, content }: CompressRequest): Chosen {
  const units = new Set(commits === undefined ? between(state, from, to) : commits.flatMap((commit) => numbersOf(state, commit, "options.commits")));
  if (units.size === 0) throw nothingChosen();
  const preserved = new Set<number>();
  for (const kept of preserve) {
    for (const number of numbersOf(state, kept, "options.preserve")) {
      if (!units.has(number)) throw preserveOutside(hashOf(kept, "options.preserve"));
      preserved.add(number);
    }
  }
  return { units, preserved, keepsErrors: content === undefined };
}

function nothingChosen(): PalimpsestError {
  return new PalimpsestError("COMMITS_EMPTY", "There are no commits to compress.");
}

function preserveOutside(hash: string): PalimpsestError {
  return new PalimpsestError("PRESERVE_OUTSIDE", `Commit ${hash.slice(0, 12)} is in options.preserve, but is not among the commits to compress.`, { hash });
}

function between(state: BranchState, from: CommitLike | undefined, to: CommitLike | undefined): number[] {
  const first = from === undefined ? 0 : Math.min(...numbersOf(state, from, "options.from"));
  const last = to === undefined ? state.units.length - 1 : Math.max(...numbersOf(state, to, "options.to"));
  if (first > last) throw new PalimpsestError("RANGE_REVERSED", "options.from comes after options.to.", { from, to });
  return state.units.slice(first, last + 1).map(({ number }) => number);
}

function numbersOf(state: BranchState, given: CommitLike, path: string): number[] {
  return unitsOf(state, entryIn(state, given, path)).map(({ number }) => number);
}

/** Returns the units of a commit: for an edit those that it changes, for an undo those that it shows again. */
function unitsOf(state: BranchState, { commit, content }: Entry): Unit[] {
  if (isSaid(content)) return [state.unitOf(commit.hash)].filter((unit) => unit !== undefined);
  const edit = isEdited(content) ? content.edit : state.editOf(content.undo.edit)?.edit;
  return edit === undefined ? [] : unitsUnder(state, edit);
}
