import { PalimpsestError } from "../errors/palimpsest-error.ts";
import type { LogIndex } from "../messages/index-log.ts";
import type { Message } from "../messages/message.ts";
import { isBefore } from "../messages/place.ts";
import type { Target } from "../messages/target.ts";
import { waitingAt, waitingCalls } from "../messages/waiting-calls.ts";
import { applyBlockEdits } from "./apply-block-edits.ts";
import { withoutBlank } from "./blank.ts";
import { newestBlockEdits } from "./block-edits.ts";
import { borderOf } from "./border.ts";
import { ChangedMessages } from "./changed-messages.ts";
import { Coverage } from "./coverage.ts";
import type { Proposal } from "./edit.ts";
import { firstPlace, isSpanEdit, placesOf } from "./edit-places.ts";
import { hiddenThinking } from "./hidden-thinking.ts";
import { outermostSpans, refuseWrongEnds, roundSpan, type OuterSpans } from "./spans.ts";
import { placeSummaries, type Summary } from "./summaries.ts";
import { validEdits } from "./validate-edits.ts";
import { ViewWriter, type View } from "./view-writer.ts";

export interface Arrangement extends View {
  /** The edit that hides or changes a position. */
  readonly editAt: (position: number) => Proposal | undefined;
}

/** `seenFrom`: the length of the log from which on the model saw our views. Before it, the model read the log itself. */
export interface ArrangeTarget extends Target {
  readonly seenFrom: number;
}

/** Returns the view of edits from any source, after checking that the place of each edit is what it says. */
export function arrange(log: readonly Message[], index: LogIndex, edits: readonly Proposal[], target: ArrangeTarget): Arrangement {
  const made = validEdits(log, index, edits).map(withoutBlank);
  const inForce = made.filter((edit) => edit.undoneAt === undefined || edit.undoneAt > log.length);
  refuseWrongEnds(index, inForce);
  return arrangeValid(log, index, made, inForce, target);
}

/** Returns the view of proposals that passes have just made for this log, without checks: their places are right, no text is blank, and all are in force. */
export function arrangeProposals(log: readonly Message[], index: LogIndex, proposals: readonly Proposal[], target: ArrangeTarget): Arrangement {
  return arrangeValid(log, index, proposals, proposals, target);
}

/**
 * The one place where edits meet the log. It decides which edits show and what they remove, settles what follows
 * from that (pairs, thinking, system messages), and writes the view. `render` and `report` both read the result.
 */
function arrangeValid(log: readonly Message[], index: LogIndex, made: readonly Proposal[], inForce: readonly Proposal[], target: ArrangeTarget): Arrangement {
  const spans = outermostSpans(index, inForce);
  const blockEdits = newestBlockEdits(inForce);
  const changed = new ChangedMessages(log, index);
  const coverage = new Coverage(log, index, spans, blockEdits, changed);
  applyBlockEdits(log, blockEdits, changed);
  if (index.thinking.length > 0) hideUnboundThinking(log, index, made, coverage, changed, target);
  const summaries = placeSummaries(log, index, spans, coverage, changed);
  refuseTextAfterWaitingCalls(log, index, spans, coverage, summaries);
  const view = new ViewWriter(log, index, coverage.hasRanges).write(coverage, changed, summaries);
  if (view.messages.length === 0 && log.length > 0)
    throw new PalimpsestError("EMPTY_THREAD", "Nothing would be left of the thread. Give a summary, or keep a part of it.");
  return { ...view, editAt: (position) => coverage.rangeAround(position)?.edit ?? changed.editAt(position) };
}

function hideUnboundThinking(
  log: readonly Message[],
  index: LogIndex,
  made: readonly Proposal[],
  coverage: Coverage,
  changed: ChangedMessages,
  target: ArrangeTarget,
): void {
  const compared = coverage.hasRanges ? made.filter((edit) => !isSwallowed(index, edit, coverage)) : made;
  const hiddenBy = hiddenThinking(log, index, compared, target);
  for (const at of index.thinking) {
    const edit = hiddenBy(at);
    if (edit !== undefined && coverage.rangeAround(at.position) === undefined) changed.hideThinking(at, edit);
  }
}

/** Returns whether the edit is inside a larger range that shows. On the same stretch, a range replaces the edit instead. */
function isSwallowed(index: LogIndex, edit: Proposal, coverage: Coverage): boolean {
  if (!isSpanEdit(edit)) return placesOf(edit).every((at) => coverage.rangeOver(at) !== undefined);
  const from = firstPlace(edit);
  const to = edit.kind === "replace-range" ? borderOf(index, edit.to) : { position: edit.lastResult, block: 1 };
  const range = coverage.rangeOver(from);
  if (range === undefined || isBefore(range.to, to)) return false;
  return isBefore(range.from, borderOf(index, from)) || isBefore(to, range.to);
}

function refuseTextAfterWaitingCalls(
  log: readonly Message[],
  index: LogIndex,
  outer: OuterSpans,
  coverage: Coverage,
  summaries: ReadonlyMap<number, readonly Summary[]>,
): void {
  if (index.providerRunAt.length === 0) return;
  const waiting = waitingCalls(
    log,
    index.calls.filter((call) => !coverage.hidesCall(call)),
  );
  if (waiting.length === 0) return;
  const notes = outer.rounds.map((edit) => roundSpan(index, edit).to);
  const added = [...summaries].flatMap(([position, here]) => here.map(({ block }) => ({ position, block })));
  for (const at of [...notes, ...added]) {
    const call = waitingAt(waiting, at);
    if (call === undefined) continue;
    throw new PalimpsestError("LOOP_OPEN", `The call ${call.id} waits for the provider's result: until it comes, only tool results may follow.`, {
      before: call.position,
    });
  }
}
