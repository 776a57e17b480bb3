import type { Proposal } from "../../edits/edit.ts";
import { beginningOf } from "../../messages/beginning-of.ts";
import type { LogIndex } from "../../messages/index-log.ts";
import type { Call } from "../../messages/open-calls.ts";
import { blockAt, resultText, type Message, type ToolResultBlock } from "../../messages/message.ts";
import type { Place } from "../../messages/place.ts";
import { waitingAt, waitingCalls } from "../../messages/waiting-calls.ts";
import { frozenStretch, newestRound } from "../hold-back.ts";
import type { PassContext } from "../pass.ts";

interface CollapseOptions extends PassContext {
  /** Rounds collapse when more than this many messages come after their results. */
  readonly afterTurns: number;
  /** Whether turns with several calls collapse too. */
  readonly multiToolTurns: boolean;
  /** How many characters of each result are added below its line. */
  readonly gistChars: number;
}

/**
 * Replaces an old call and its result by one line.
 *
 *     before: assistant [text "Let me look.", tool_use grep {…}] · user [tool_result "…"]
 *     after:  assistant [text "Let me look.", text "[Tool: grep | Result summarized — called 12 turns ago]"]
 *
 * The distance is the one at the time of the edit, and never changes: updating it would break the cache on every call.
 */
export function collapseRounds(log: readonly Message[], edits: readonly Proposal[], options: CollapseOptions): Proposal[] {
  const { calls, callsBefore, providerRunAt, systemAt } = options.index;
  // User text beside a collapsed result would end the loop there, and the rest of the loop would lack the thinking that it began with (A4.2).
  const frozenFrom = frozenStretch(log, options)?.from ?? Infinity;
  const end = Math.min(newestRound(log, options), log.length - 2 - options.afterTurns, frozenFrom);
  const waiting = waitingCalls(log, calls);
  const excluded = new Set(providerRunAt);
  for (const position of systemAt) excluded.add(position - 2); // It would lose the user message that it has to follow (A1.10).
  for (const edit of edits) if (edit.kind === "collapse-round") excluded.add(edit.call);
  const reason = `more than ${options.afterTurns} messages old`;
  // There are nearly as many rounds as calls, so allocate for all of them.
  const proposals = new Array<Proposal>(calls.length);
  let count = 0;
  for (let first = calls[0], next; first !== undefined && first.position < end; first = calls[next]) {
    const call = first.position;
    next = callsBefore[call + 1] ?? calls.length;
    if (excluded.has(call) || (next - first.number > 1 && !options.multiToolTurns)) continue;
    if (!isRound(options.index, first, next)) continue;
    if (waiting.length > 0 && waitingAt(waiting, { position: call + 1, block: Infinity }) !== undefined) continue;
    const note = noteFor(log, calls, first.number, next, options.gistChars);
    proposals[count++] = { kind: "collapse-round", call, lastResult: call + 1, note, pass: "collapse-rounds", reason, madeAt: log.length };
  }
  proposals.length = count;
  return proposals;
}

/** Returns whether the next message answers exactly these calls of one message, each with an id of its own, and nothing is bound to them. */
function isRound({ calls, resultsBefore }: LogIndex, first: Call, next: number): boolean {
  const answers = first.position + 1;
  const count = next - first.number;
  if ((resultsBefore[answers + 1] ?? 0) - (resultsBefore[answers] ?? 0) !== count) return false;
  for (let number = first.number; number < next; number++) {
    const call = calls[number] as Call;
    if (call.result?.position !== answers || call.caller !== undefined) return false;
  }
  return count === 1 || haveOwnIds(calls, first.number, next);
}

/** Up to this many ids are compared one by one: creating a set would take longer. */
const FEW = 8;

function haveOwnIds(calls: readonly Call[], first: number, next: number): boolean {
  if (next - first > FEW) return new Set(calls.slice(first, next).map(({ id }) => id)).size === next - first;
  for (let number = first + 1; number < next; number++) {
    for (let other = first; other < number; other++) if ((calls[other] as Call).id === (calls[number] as Call).id) return false;
  }
  return true;
}

/** Returns a line for each of these calls. */
function noteFor(log: readonly Message[], calls: readonly Call[], first: number, next: number, gistChars: number): string {
  let note = "";
  for (let number = first; number < next; number++) {
    const call = calls[number] as Call;
    const result = call.result as Place;
    // Built from the end, without reading the name, which is elsewhere in memory.
    const end = endFor(log.length - 1 - result.position);
    const line = "[Tool: " + (call.name + end);
    note = note === "" ? line : `${note}\n${line}`;
    const gist = gistChars === 0 ? "" : beginningOf(resultText(blockAt(log, result) as ToolResultBlock), gistChars);
    if (gist !== "") note += `\n${gist}`;
  }
  return note;
}

/** The ends of notes, by distance, cached because every call needs the same ones. */
const ENDS: string[] = [];
const MOST_ENDS = 1 << 14;

function endFor(turns: number): string {
  if (turns >= MOST_ENDS) return endOf(turns);
  while (ENDS.length <= turns) ENDS.push(endOf(ENDS.length));
  return ENDS[turns] as string;
}

function endOf(turns: number): string {
  return ` | Result summarized — called ${turns} turns ago]`;
}
