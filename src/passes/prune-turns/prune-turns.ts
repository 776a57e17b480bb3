import type { Proposal } from "../../edits/edit.ts";
import { checkpointId } from "../../messages/checkpoint.ts";
import { blocksOf, isText, isToolResult, isToolUse, type Message } from "../../messages/message.ts";
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
 * Leaves whole messages out, oldest or least important first, until at most `maxTurns` are left. Messages linked by calls
 * go together; the last message and the newest words of the user stay.
 *
 *     before: user · assistant+call · result · assistant+call · result · assistant · user      (sliding-window, maxTurns: 3)
 *     after:  [Earlier conversation omitted] · assistant+call · result · assistant · user      (the cut moved so that no pair is split)
 */
export function pruneTurns(log: readonly Message[], _edits: readonly Proposal[], options: PruneOptions): Proposal[] {
  if (log.length <= options.maxTurns) return [];
  const groups = options.target.thinking === "manual" ? Groups.ofLoops(log, options.index) : new Groups(log, options.index);
  const kept = protectedGroups(log, groups, options);
  const leftOut = options.strategy === "importance" ? leastImportant(log, groups, kept, options.maxTurns) : beforeCut(log, groups, kept, options.maxTurns);
  return rangesOver(log, leftOut, options.strategy);
}

function summarizedNote(turns: number): string {
  return `[Previous context summarized: ${turns} turns]`;
}

function protectedGroups(log: readonly Message[], groups: Groups, context: PassContext): Set<number> {
  const kept = new Set<number>();
  const keep = (stretch: Stretch | undefined): void => {
    for (let position = stretch?.from ?? 0; position <= (stretch?.to ?? -1); position++) kept.add(groups.firstOf(position));
  };
  const last = log.length - 1;
  // A response that has just come is one, in however many messages (A1.3).
  keep(log[last]?.role === "assistant" ? newestResponse(log) : { from: last, to: last });
  const newestWords = log.findLastIndex(holdsUserContent);
  if (newestWords !== -1) keep({ from: newestWords, to: newestWords });
  keep(frozenStretch(log, context));
  // In manual mode the newest response stays too: without it, results before it would continue a turn that has lost its thinking (A4.2).
  if (context.target.thinking === "manual") keep(newestResponse(log));
  return kept;
}

/** Anything besides tool results, reminders and checkpoints. */
function holdsUserContent(message: Message): boolean {
  if (message.role !== "user") return false;
  for (const block of blocksOf(message)) if (!isToolResult(block) && checkpointId(block) === undefined && !isReminder(block)) return true;
  return false;
}

/** The cut moves earlier until no group lies on both sides of it. */
function beforeCut(log: readonly Message[], groups: Groups, kept: ReadonlySet<number>, maxTurns: number): boolean[] {
  let cut = log.length - maxTurns;
  for (let position = log.length - 1; position >= cut; position--) cut = Math.min(cut, groups.firstOf(position));
  return log.map((_, position) => position < cut && !kept.has(groups.firstOf(position)));
}

function leastImportant(log: readonly Message[], groups: Groups, kept: ReadonlySet<number>, maxTurns: number): boolean[] {
  const scores = new Float64Array(log.length);
  const sizes = new Int32Array(log.length);
  for (let position = 0; position < log.length; position++) {
    const message = log[position];
    const first = groups.firstOf(position);
    if (message !== undefined) scores[first] = Math.max(scores[first] ?? 0, importanceOf(message, position, log.length));
    sizes[first] = (sizes[first] ?? 0) + 1;
  }
  const candidates: number[] = [];
  for (let first = 0; first < log.length; first++) if (sizes[first] !== 0 && !kept.has(first)) candidates.push(first);
  candidates.sort((a, b) => (scores[a] ?? 0) - (scores[b] ?? 0) || a - b);
  const dropped = new Set<number>();
  let left = log.length;
  for (const first of candidates) {
    if (left <= maxTurns) break;
    dropped.add(first);
    left -= sizes[first] ?? 0;
  }
  return log.map((_, position) => dropped.has(groups.firstOf(position)));
}

/** Newer is higher, a call counts, and so does a long answer, up to a limit. */
function importanceOf(message: Message, position: number, messages: number): number {
  const recency = (0.5 * position) / Math.max(1, messages - 1);
  if (message.role !== "assistant") return recency;
  let length = 0;
  let calls = 0;
  for (const block of blocksOf(message)) {
    if (isText(block)) length += block.text.length;
    else if (isToolUse(block)) calls++;
  }
  return recency + (calls > 0 ? 0.3 : 0) + Math.min(length / 5000, 0.2);
}

/** One range for each run of messages that are left out; only `summarize` says so, where the first run was. */
function rangesOver(log: readonly Message[], leftOut: readonly boolean[], strategy: PrunerStrategy): Proposal[] {
  const turns = leftOut.reduce((sum, isOut) => sum + Number(isOut), 0);
  const reason = strategy === "importance" ? "among the least important messages" : "before the window of the newest messages";
  const proposals: Proposal[] = [];
  for (let from = 0; from < log.length; from++) {
    if (leftOut[from] !== true) continue;
    let to = from;
    while (leftOut[to] === true) to++;
    const summary = strategy === "summarize" && proposals.length === 0 ? summarizedNote(turns) : "";
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
