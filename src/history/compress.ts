import type { Edit, Proposal } from "../edits/edit.ts";
import { isSpanEdit } from "../edits/edit-places.ts";
import { outermostSpans } from "../edits/spans.ts";
import { makeEdits } from "../edits/make-edits.ts";
import { invalid, PalimpsestError } from "../errors/palimpsest-error.ts";
import type { LogIndex } from "../messages/index-log.ts";
import { blocksOf, type Block, type Message, type ToolResultBlock } from "../messages/message.ts";
import { placeKey } from "../messages/place.ts";
import { outputText, transcriptText } from "../text/transcript-text.ts";
import { messageTokens } from "../tokens/message-tokens.ts";
import type { CommitChain } from "./commit-chain.ts";
import { endOfUnit, type Run } from "./compress-runs.ts";
import { addEdit, replaceResult, targetOf, unitsUnder } from "./edit-commits.ts";
import type { BranchState } from "./branch-state.ts";
import type { Unit } from "./commit-index.ts";
import { textOf, withSummary } from "./tool-result-hook.ts";

export interface Compressed {
  readonly edits: readonly Edit[];
  /** One for each run, in order. */
  readonly summaries: readonly string[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Runs that the summarizer failed for. They are shown as before. */
  readonly failed: readonly { readonly commits: readonly string[]; readonly error: unknown }[];
}

/** The text of a run to summarize, and its size. */
export interface RunText {
  readonly run: Run;
  readonly commits: readonly string[];
  readonly text: string;
  readonly tokens: number;
  /** Tokens of what the view shows for it now: part of it may already be summarized. */
  readonly shownTokens: number;
}

export interface SummarizedRun extends RunText {
  readonly summary: string;
}

/** The pass of edits that were requested explicitly. */
const PASS = "compress";

/** Returns the runs as a summarizer reads them: results as they are shown now, and messages hidden by a range in full. */
export function textsOf(state: BranchState, runs: readonly Run[]): RunText[] {
  const shown = shownResults(state);
  return runs.map((run) => {
    const units = unitsOf(state, run);
    const commits = units.map(({ commit }) => commit.hash);
    const messages = messagesOf(state, units, shown);
    const sizes = messages.map(messageTokens);
    const only = run.kind === "result" ? (messages[0]?.content[0] as ToolResultBlock | undefined) : undefined;
    const text = only === undefined ? transcriptText(messages) : outputText(textOf(only.content ?? ""));
    return { run, commits, text, tokens: sizes.reduce((sum, size) => sum + size, 0), shownTokens: shownTokens(state, run, sizes) };
  });
}

/** Returns the tokens shown for a run whose units have these sizes: units under a range count as the range's summary. */
function shownTokens(state: BranchState, { from, to }: Run, sizes: readonly number[]): number {
  const left = [...sizes];
  let summaries = 0;
  // Widest first: a range inside another one is hidden by it.
  for (const { covered, tokens } of rangesIn(state, from, to)) {
    if (covered.every((number) => left[number - from] === 0)) continue;
    for (const number of covered) left[number - from] = 0;
    summaries += tokens;
  }
  return summaries + left.reduce((sum, size) => sum + size, 0);
}

function rangesIn(state: BranchState, from: number, to: number): { readonly covered: readonly number[]; readonly tokens: number }[] {
  return state.inForce
    .filter(({ edit }) => edit.kind === "replace-range")
    .map(({ edit }) => ({ covered: unitsUnder(state, edit).map(({ number }) => number), tokens: edit.tokensAfter }))
    .filter(({ covered }) => covered.length > 0 && covered.every((number) => number >= from && number <= to))
    .sort((a, b) => b.covered.length - a.covered.length);
}

/** Divides the target among the texts by size. */
export function shareTokens(targetTokens: number | undefined, texts: readonly RunText[]): (number | undefined)[] {
  if (targetTokens === undefined) return texts.map(() => undefined);
  const total = texts.reduce((sum, { tokens }) => sum + tokens, 0) || 1;
  let before = 0;
  return texts.map(({ tokens }) => {
    const from = Math.floor((targetTokens * before) / total);
    before += tokens;
    return Math.max(1, Math.floor((targetTokens * before) / total) - from);
  });
}

export interface SummaryTerms {
  /** How many commits there were when the runs were read. */
  readonly since: number;
  readonly reason: string;
  /** Leave out a summary that is no shorter than what is shown now. */
  readonly onlyShorter: boolean;
}

/**
 * Commits the summaries. If somebody else has committed an edit for the same target since the runs were read,
 * the first one wins. A summary that crosses an existing range is refused or, if nobody named the commits, left out.
 */
export function addSummaries(state: BranchState, chain: CommitChain, runs: readonly SummarizedRun[], { since, reason, onlyShorter }: SummaryTerms): Edit[] {
  const others = new Map(state.inForce.flatMap(({ edit, commit }) => (commit.sequence >= since ? [[targetOf(edit), edit] as const] : [])));
  const edits = runs.flatMap((run) => {
    const edit = editOf(state, run, reason);
    const other = others.get(targetOf(edit));
    if (other !== undefined) return [other];
    return onlyShorter && (edit.tokensAfter >= run.shownTokens || crossesNewer(edit, since, state)) ? [] : [edit];
  });
  state.conversation.refuseUnfit([...state.edits, ...edits]);
  for (const edit of edits) addEdit(state, chain, edit, PASS);
  return edits;
}

function crossesNewer(edit: Edit, since: number, state: BranchState): boolean {
  const newer = state.inForce.filter(({ edit: other, commit }) => commit.sequence >= since && isSpanEdit(other)).map(({ edit: other }) => other);
  return isSpanEdit(edit) && crosses(edit, newer, state.conversation.index);
}

/** Returns whether the range crosses one of these spans, which do not cross each other. */
function crosses(range: Edit, spans: readonly Edit[], index: LogIndex): boolean {
  try {
    outermostSpans(index, [...spans, range]);
    return false;
  } catch (error) {
    if (PalimpsestError.isInstance(error) && error.code === "OVERLAPPING_RANGES") return true;
    throw error;
  }
}

/** Returns the text that an edit shows. */
export function summaryIn(edit: Edit): string {
  if (edit.kind === "replace-range") return edit.summary;
  return edit.kind === "replace-result" ? textOf(edit.content) : "";
}

function editOf(state: BranchState, { run, summary }: SummarizedRun, reason: string): Edit {
  const units = unitsOf(state, run);
  const [first] = units;
  const last = units.at(-1);
  if (first === undefined || last === undefined) throw invalid("INVALID_INPUT", "commits", "commits of the log", run);
  const origin = { pass: PASS, reason, madeAt: state.messages.length, handle: first.commit.hash };
  const from = { position: first.position, block: first.from };
  if (run.kind === "result") {
    const block = blocksOf(state.messages[first.position] ?? NO_MESSAGE)[first.from] as ToolResultBlock;
    return replaceResult({ ...origin, at: from, block, content: withSummary(block.content ?? "", summary), form: "summary" });
  }
  const proposal: Proposal = { ...origin, kind: "replace-range", from, to: endOfUnit(last), role: "user", summary };
  return makeEdits(state.messages, [proposal])[0] as Edit;
}

const NO_MESSAGE: Message = { role: "user", content: [] };

function unitsOf(state: BranchState, { from, to }: Run): readonly Unit[] {
  return state.units.slice(from, to + 1);
}

function shownResults(state: BranchState): ReadonlyMap<string, string | readonly Block[]> {
  return new Map(state.inForce.flatMap(({ edit }) => (edit.kind === "replace-result" ? [[placeKey(edit.at), edit.content] as const] : [])));
}

function messagesOf(state: BranchState, units: readonly Unit[], shown: ReadonlyMap<string, string | readonly Block[]>): Message[] {
  return units.map(({ position, from, to }) => {
    const { role, content } = state.messages[position] ?? NO_MESSAGE;
    if (typeof content === "string") return { role, content };
    const blocks = content.slice(from, to).map((block, offset) => {
      const replaced = shown.get(placeKey({ position, block: from + offset }));
      return replaced === undefined ? block : { ...block, content: replaced };
    });
    return { role, content: blocks };
  });
}
