import { invalid } from "../errors/palimpsest-error.ts";
import { TOOL_SUMMARIZE_SYSTEM } from "../summarize/tool-summarize-system.ts";
import type { BranchLog } from "./branch-log.ts";
import { toCommit } from "./commit.ts";
import type { CompressRequest } from "./compress-request.ts";
import { runsOf, type Chosen } from "./compress-runs.ts";
import { addSummaries, shareTokens, summaryIn, textsOf, type Compressed, type RunText, type SummarizedRun } from "./compress.ts";
import type { HistoryEvents } from "./history-events.ts";
import type { LateSummaries } from "./late-summaries.ts";
import type { BranchState } from "./branch-state.ts";
import { runsBesideRanges } from "./runs-beside-ranges.ts";
import type { Summarized, SummaryWish } from "./summarize-text.ts";

export interface Compressing {
  readonly branch: BranchLog;
  readonly late: LateSummaries;
  readonly request: CompressRequest;
  readonly choose: (state: BranchState) => Chosen;
  readonly summarize: (wish: SummaryWish) => Promise<Summarized>;
  readonly events: HistoryEvents;
}

/** Summaries requested at a time. */
const AT_ONCE = 4;

/** Reads the commits, waits for their summaries without blocking other writers, and commits those that succeeded. */
export async function compressCommits({ branch, late, request, choose, summarize, events }: Compressing): Promise<Compressed> {
  // Commits that were named are compressed as asked or refused; without names, compress what is possible.
  const runs = request.onlyShorter ? runsBesideRanges : runsOf;
  const { texts, since } = await branch.read((state) => ({ texts: textsOf(state, runs(state, choose(state))), since: state.entries.length }));
  const { content, instructions, onlyShorter } = request;
  if (content !== undefined && content.length !== texts.length)
    throw invalid("INVALID_OPTION", "options.content", `a summary for each of the ${texts.length} runs that the commits form`, content);
  const shares = shareTokens(request.targetTokens, texts);
  const outcomes: Summarized[] = [];
  for (let from = 0; from < texts.length; from += AT_ONCE) {
    const some = texts.slice(from, from + AT_ONCE);
    outcomes.push(...(await Promise.all(some.map((run, offset) => summaryOf(run, content?.[from + offset], shares[from + offset], request, summarize)))));
  }
  const summarized: SummarizedRun[] = [];
  const failed: { commits: readonly string[]; error: unknown }[] = [];
  outcomes.forEach((outcome, number) => {
    const run = texts[number];
    if (run === undefined) return;
    if ("summary" in outcome) summarized.push({ ...run, summary: outcome.summary });
    else failed.push({ commits: run.commits, error: outcome.failure });
  });
  const { edits, commits } = await late.writeBatch(branch, (state, chain) => {
    const edits = summarized.length === 0 ? [] : addSummaries(state, chain, summarized, { since, reason: instructions ?? "compressed", onlyShorter });
    return { edits, commits: chain.entries.map(({ commit }) => toCommit(commit)) };
  });
  const sums = {
    tokensBefore: edits.reduce((sum, edit) => sum + edit.tokensBefore, 0),
    tokensAfter: edits.reduce((sum, edit) => sum + edit.tokensAfter, 0),
  };
  for (const failure of failed) events.emit("error", failure);
  if (commits.length > 0) {
    events.emit("edit", { commits, edits, undone: false });
    events.emit("compact", { edits, ...sums });
  }
  return { edits, summaries: edits.map(summaryIn), ...sums, failed };
}

async function summaryOf(
  { text }: RunText,
  given: string | undefined,
  targetTokens: number | undefined,
  { systemPrompt, instructions }: CompressRequest,
  summarize: Compressing["summarize"],
): Promise<Summarized> {
  return given === undefined ? summarize({ text, system: systemPrompt ?? TOOL_SUMMARIZE_SYSTEM, instructions, targetTokens }) : { summary: given };
}
