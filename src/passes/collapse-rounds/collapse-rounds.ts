import type { Proposal } from "../../edits/edit.ts";
import { headOf } from "../../messages/head-of.ts";
import type { Call, LogIndex } from "../../messages/index-log.ts";
import { blockAt, callerOf, resultText, type Message, type ToolResultBlock, type ToolUseBlock } from "../../messages/message.ts";
import { waitingAt, waitingCalls } from "../../messages/waiting-calls.ts";
import { frozenStretch, newestRound } from "../hold-back.ts";
import type { PassContext } from "../pass.ts";

interface CollapseOptions extends PassContext {
  /** Rounds collapse when more than this many messages lie behind their results. */
  readonly afterTurns: number;
  /** Turns with several calls, too. */
  readonly multiToolTurns: boolean;
  /** So many first characters of each result follow its line. */
  readonly gistChars: number;
}

/**
 * Writes one line over an old call and its result.
 *
 *     before: assistant [text "Let me look.", tool_use grep {…}] · user [tool_result "…"]
 *     after:  assistant [text "Let me look.", text "[Tool: grep | Result summarized — called 12 turns ago]"]
 *
 * The distance is the one at the time of the edit and stays in it: a text that aged would break the cache on every call.
 */
export function collapseRounds(log: readonly Message[], edits: readonly Proposal[], options: CollapseOptions): Proposal[] {
  const { calls, callsBefore, providerRunAt, systemAt } = options.index;
  // Words beside a collapsed result would end the loop there, and what follows would lack the thinking that it began with (A4.2).
  const frozenFrom = frozenStretch(log, options)?.from ?? Infinity;
  const end = Math.min(newestRound(log, options), log.length - 2 - options.afterTurns, frozenFrom);
  const waiting = providerRunAt.length === 0 ? [] : waitingCalls(log, calls);
  const excluded = new Set(providerRunAt);
  for (const position of systemAt) excluded.add(position - 2); // It would lose the user message that it has to follow (A1.10).
  for (const edit of edits) if (edit.kind === "collapse-round") excluded.add(edit.call);
  const reason = `more than ${options.afterTurns} messages old`;
  const proposals: Proposal[] = [];
  for (let first = calls[0], next; first !== undefined && first.position < end; first = calls[next]) {
    const call = first.position;
    next = callsBefore[call + 1] ?? calls.length;
    if ((excluded.size > 0 && excluded.has(call)) || (next - first.number > 1 && !options.multiToolTurns) || !isRound(log, options.index, call)) continue;
    if (waiting.length > 0 && waitingAt(waiting, { position: call + 1, block: Infinity }) !== undefined) continue;
    const note = noteFor(log, calls, first.number, next, options.gistChars);
    proposals.push({ kind: "collapse-round", call, lastResult: call + 1, note, pass: "collapse-rounds", reason, madeAt: log.length });
  }
  return proposals;
}

/** Does the next message answer all calls of this one and no others, and is nothing bound to them? */
function isRound(log: readonly Message[], { calls, callsBefore, resultsBefore }: LogIndex, position: number): boolean {
  const first = callsBefore[position] ?? 0;
  const next = callsBefore[position + 1] ?? 0;
  if ((resultsBefore[position + 2] ?? 0) - (resultsBefore[position + 1] ?? 0) !== next - first) return false;
  for (let number = first; number < next; number++) {
    const call = calls[number];
    if (call?.result?.position !== position + 1 || callerOf(useAt(log, call)) !== undefined) return false;
  }
  return next - first === 1 || haveOwnIds(calls, first, next);
}

function haveOwnIds(calls: readonly Call[], first: number, next: number): boolean {
  const ids = new Set<string>();
  for (let number = first; number < next; number++) ids.add(calls[number]?.id ?? "");
  return ids.size === next - first;
}

/** A line for each of these calls, which are one message's. */
function noteFor(log: readonly Message[], calls: readonly Call[], first: number, next: number, gistChars: number): string {
  let note = "";
  for (let number = first; number < next; number++) {
    const call = calls[number];
    if (call?.result === undefined) continue;
    const line = `[Tool: ${useAt(log, call).name} | Result summarized — called ${log.length - 1 - call.result.position} turns ago]`;
    note = note === "" ? line : `${note}\n${line}`;
    const gist = gistChars === 0 ? "" : headOf(resultText(blockAt(log, call.result) as ToolResultBlock), gistChars);
    if (gist !== "") note += `\n${gist}`;
  }
  return note;
}

function useAt(log: readonly Message[], call: Call): ToolUseBlock {
  return blockAt(log, call) as ToolUseBlock;
}
