import type { Proposal } from "../../edits/edit.ts";
import { isSpanEdit } from "../../edits/edit-places.ts";
import { headOf } from "../../messages/head-of.ts";
import {
  callerOf,
  isServerCall,
  isServerResult,
  isToolResult,
  isToolUse,
  resultText,
  type Block,
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
} from "../../messages/message.ts";
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
  // Words beside a collapsed result would end the loop there, and what follows would lack the thinking that it began with (A4.2).
  const frozenFrom = frozenStretch(log, options)?.from ?? Infinity;
  const waiting = waitingCalls(log, options.index.calls);
  const end = Math.min(newestRound(log, options), log.length - 2 - options.afterTurns);
  const taken = new Set(edits.filter(isSpanEdit).map((edit) => (edit.kind === "collapse-round" ? edit.call : -1)));
  const reason = `more than ${options.afterTurns} messages old`;
  const proposals: Proposal[] = [];
  for (let call = 0; call < end; call++) {
    const round = taken.has(call) || call >= frozenFrom ? undefined : roundAt(log, call, options.multiToolTurns);
    if (round === undefined || waitingAt(waiting, { position: call + 1, block: Infinity }) !== undefined) continue;
    const turnsAgo = log.length - 1 - (call + 1);
    let note = "";
    for (const { use, result } of round) note += (note === "" ? "" : "\n") + lineFor(use.name, turnsAgo, result, options.gistChars);
    proposals.push({ kind: "collapse-round", call, lastResult: call + 1, note, pass: "collapse-rounds", reason, madeAt: log.length });
  }
  return proposals;
}

function lineFor(name: string, turnsAgo: number, result: ToolResultBlock, gistChars: number): string {
  const line = `[Tool: ${name} | Result summarized — called ${turnsAgo} turns ago]`;
  const gist = gistChars === 0 ? "" : headOf(resultText(result), gistChars);
  return gist === "" ? line : `${line}\n${gist}`;
}

interface AnsweredCall {
  readonly use: ToolUseBlock;
  readonly result: ToolResultBlock;
}

/** The calls of the message, if the next message answers all of them and no others, and nothing is bound to them. */
function roundAt(log: readonly Message[], position: number, multiToolTurns: boolean): readonly AnsweredCall[] | undefined {
  const message = log[position];
  const answer = log[position + 1];
  if (message?.role !== "assistant" || answer?.role !== "user" || typeof message.content === "string" || typeof answer.content === "string") return undefined;
  if (log[position + 2]?.role === "system") return undefined; // It would lose the user message that it has to follow (A1.10).
  const uses = clientCalls(message.content);
  if (uses === undefined || uses.length === 0 || (uses.length > 1 && !multiToolTurns)) return undefined;
  const results = answer.content.filter(isToolResult);
  if (results.length !== uses.length) return undefined;
  const round: AnsweredCall[] = [];
  for (const use of uses) {
    const result = results.find((candidate) => candidate.tool_use_id === use.id);
    if (result === undefined || round.some((earlier) => earlier.result === result)) return undefined;
    round.push({ use, result });
  }
  return round;
}

/** The calls that the client answers; undefined for a turn in which the provider runs tools too. */
function clientCalls(content: readonly Block[]): ToolUseBlock[] | undefined {
  const uses: ToolUseBlock[] = [];
  for (const block of content) {
    if (isToolUse(block)) {
      if (callerOf(block) !== undefined) return undefined;
      uses.push(block);
    } else if (isServerCall(block) || isServerResult(block)) return undefined;
  }
  return uses;
}
