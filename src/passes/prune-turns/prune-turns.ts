import type { Proposal } from "../../edits/edit.ts";
import { checkpointId } from "../../messages/checkpoint.ts";
import type { LogIndex } from "../../messages/index-log.ts";
import type { Call } from "../../messages/open-calls.ts";
import { blockAt, type Block, type Message } from "../../messages/message.ts";
import type { Place } from "../../messages/place.ts";
import { isReminder } from "../../messages/reminder.ts";
import { frozenStretch, newestResponse, type Stretch } from "../hold-back.ts";
import type { PassContext } from "../pass.ts";
import { Groups } from "./groups.ts";

export type PrunerStrategy = "sliding-window" | "summarize" | "importance";

interface PruneOptions extends PassContext {
  readonly strategy: PrunerStrategy;
  /** A turn is a message. */
  readonly maxTurns: number;
}

/**
 * Removes whole messages, oldest or least important first, until at most `maxTurns` are left. Messages linked by calls
 * go together; the last message and the newest words of the user stay.
 *
 *     before: user · assistant+call · result · assistant+call · result · assistant · user      (sliding-window, maxTurns: 3)
 *     after:  [Earlier conversation omitted] · assistant+call · result · assistant · user      (the cut moved so that no pair is split)
 */
export function pruneTurns(log: readonly Message[], _edits: readonly Proposal[], options: PruneOptions): Proposal[] {
  if (log.length <= options.maxTurns) return [];
  const groups = options.target.thinking === "manual" ? Groups.ofLoops(log, options.index) : new Groups(log, options.index);
  const kept = protectedGroups(log, groups, options);
  const leftOut =
    options.strategy === "importance" ? leastImportant(log, options.index, groups, kept, options.maxTurns) : beforeCut(log, groups, kept, options.maxTurns);
  return rangesOver(log, leftOut, options.strategy);
}

/** A flag per position. In plain arrays: allocating a typed one takes longer than everything that a short thread does with it. */
type Mark = 0 | 1;

function noMarks(length: number): Mark[] {
  return new Array<Mark>(length).fill(0);
}

function summarizedNote(leftOut: readonly Mark[]): string {
  let turns = 0;
  for (const isOut of leftOut) turns += isOut;
  return `[Previous context summarized: ${turns} turns]`;
}

/** Returns 1 at the first position of every group that stays. */
function protectedGroups(log: readonly Message[], groups: Groups, context: PassContext): readonly Mark[] {
  const kept = noMarks(log.length);
  const keep = (stretch: Stretch | undefined): void => {
    for (let position = stretch?.from ?? 0; position <= (stretch?.to ?? -1); position++) kept[groups.firstOf(position)] = 1;
  };
  const last = log.length - 1;
  // A response that has just come counts as one message, even if it has several (A1.3).
  keep(log[last]?.role === "assistant" ? newestResponse(log) : { from: last, to: last });
  const words = newestWords(log, context.index);
  if (words !== undefined) keep({ from: words.position, to: words.position });
  keep(frozenStretch(log, context));
  // In manual mode the newest response stays too: without it, results before it would continue a turn that has lost its thinking (A4.2).
  if (context.target.thinking === "manual") keep(newestResponse(log));
  return kept;
}

/** Returns the user's newest block that is not a tool result, a reminder or a checkpoint. */
function newestWords(log: readonly Message[], { userBlocks }: LogIndex): Place | undefined {
  return userBlocks.findLast((at) => {
    const block = blockAt(log, at) as Block;
    return checkpointId(block) === undefined && !isReminder(block);
  });
}

/** Returns 1 for every message to leave out. The cut moves earlier until it divides no group. */
function beforeCut(log: readonly Message[], groups: Groups, kept: readonly Mark[], maxTurns: number): readonly Mark[] {
  let cut = log.length - maxTurns;
  for (let position = log.length - 1; position >= cut; position--) cut = Math.min(cut, groups.firstOf(position));
  const leftOut = noMarks(log.length);
  for (let position = 0; position < cut; position++) if (kept[groups.firstOf(position)] !== 1) leftOut[position] = 1;
  return leftOut;
}

/** Returns 1 for every message to leave out. Groups go as a whole, lowest score first, then oldest, until at most `maxTurns` messages are left. */
function leastImportant(log: readonly Message[], index: LogIndex, groups: Groups, kept: readonly Mark[], maxTurns: number): readonly Mark[] {
  // A fraction below all scores: an array of integers would have to be converted at the first score.
  const scores = new Array<number>(log.length).fill(-0.5);
  const sizes = new Array<number>(log.length).fill(0);
  for (let position = 0; position < log.length; position++) {
    const first = groups.firstOf(position);
    if (kept[first] === 1) continue;
    scores[first] = Math.max(scores[first] ?? 0, importanceOf(index, position));
    sizes[first] = (sizes[first] ?? 0) + 1;
  }
  const leftOut = lowestGroups(scores, sizes, log.length - maxTurns);
  for (let position = 0; position < log.length; position++) leftOut[position] = leftOut[groups.firstOf(position)] ?? 0;
  return leftOut;
}

/**
 * Returns 1 at the first position of every removed group, so that this many messages are removed. A group that stays has size 0. Scores are between 0 and 1:
 * a histogram of them shows in which step the border falls, and only the groups in that step need to be sorted.
 */
function lowestGroups(scores: readonly number[], sizes: readonly number[], messages: number): Mark[] {
  const steps = scores.length;
  const onStep = new Array<number>(steps + 1).fill(0);
  for (let first = 0; first < steps; first++) {
    if (sizes[first] === 0) continue;
    const step = Math.floor((scores[first] ?? 0) * steps);
    onStep[step] = (onStep[step] ?? 0) + (sizes[first] ?? 0);
  }
  let border = 0;
  let gone = 0;
  for (; border < steps && gone + (onStep[border] ?? 0) < messages; border++) gone += onStep[border] ?? 0;
  const dropped = noMarks(steps);
  const onBorder: number[] = [];
  for (let first = 0; first < steps; first++) {
    if (sizes[first] === 0) continue;
    const step = Math.floor((scores[first] ?? 0) * steps);
    if (step < border) dropped[first] = 1;
    else if (step === border) onBorder.push(first);
  }
  for (const first of onBorder.sort((a, b) => (scores[a] ?? 0) - (scores[b] ?? 0))) {
    if (gone >= messages) break;
    dropped[first] = 1;
    gone += sizes[first] ?? 0;
  }
  return dropped;
}

/** Newer messages score higher; a call adds to the score, and so does a long answer, up to a limit. */
function importanceOf(index: LogIndex, position: number): number {
  const recency = (0.5 * position) / Math.max(1, index.blockCounts.length - 1);
  const calls = hasClientCall(index.calls, index.callsBefore[position] ?? 0, index.callsBefore[position + 1] ?? 0) ? 0.3 : 0;
  return recency + calls + Math.min((index.spokenChars[position] ?? 0) / 5000, 0.2);
}

function hasClientCall(calls: readonly Call[], first: number, next: number): boolean {
  for (let number = first; number < next; number++) if (calls[number]?.server === false) return true;
  return false;
}

/** Returns one range for each run of messages that are left out; only `summarize` writes a note, in place of the first run. */
function rangesOver(log: readonly Message[], leftOut: readonly Mark[], strategy: PrunerStrategy): Proposal[] {
  const reason = strategy === "importance" ? "among the least important messages" : "before the window of the newest messages";
  const proposals: Proposal[] = [];
  for (let from = 0; from < log.length; from++) {
    if (leftOut[from] !== 1) continue;
    let to = from;
    while (leftOut[to] === 1) to++;
    const summary = strategy === "summarize" && proposals.length === 0 ? summarizedNote(leftOut) : "";
    proposals.push({
      kind: "replace-range",
      from: { position: from, block: 0 },
      to: { position: to, block: 0 },
      role: "user",
      summary,
      pass: "prune-turns",
      reason,
      madeAt: log.length,
    });
    from = to;
  }
  return proposals;
}
