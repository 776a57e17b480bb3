import { countBelow } from "./count-below.ts";
import type { LogIndex } from "../messages/index-log.ts";
import { blocksOf, isToolResult, type Message } from "../messages/message.ts";
import { isReminder } from "../messages/reminder.ts";
import { waitingCalls } from "../messages/waiting-calls.ts";
import { checkpointId } from "../messages/checkpoint.ts";

/** A stretch of the log that can give way to a digest: whole rounds, and no word of the user's. Half-open. */
export interface Digestible {
  readonly from: number;
  readonly to: number;
}

/**
 * The longest stretches before `end` of what is not kept, in whole rounds. Where others than the assistant and its tools speak is to be kept
 * in any case. A stretch that begins with a digest takes it in: so there is never more than one between two messages of the user's.
 */
export function digestibleIn(log: readonly Message[], index: LogIndex, end: number, isKept: (position: number) => boolean): Digestible[] {
  const stretches: Digestible[] = [];
  const results = new LastResults(index);
  let from = 0;
  const close = (to: number): void => {
    // Inside of a round that began before it, a summary would have to stand behind the round's last result.
    const start = results.startFrom(from);
    const whole = wholeRounds(index, start, to);
    if (whole > start) stretches.push({ from: start, to: whole });
  };
  for (let position = 0; position < end; position++) {
    if (!isKept(position)) continue;
    close(position);
    from = position + 1;
  }
  close(end);
  if (index.providerRunAt.length === 0) return stretches;
  // Behind a call that the provider has yet to answer there may be no text (A3.2).
  const waiting = waitingCalls(log, index.calls);
  let begun = 0;
  return stretches.filter(({ from, to }) => {
    while ((waiting[begun]?.call.position ?? Infinity) <= to) begun++;
    return (waiting[begun - 1]?.reach.position ?? -1) < from;
  });
}

/** Where the calls before a position have all their results: asked for ever later ones. */
class LastResults {
  readonly #calls: LogIndex["calls"];
  #next = 0;
  #last = -1;

  constructor({ calls }: LogIndex) {
    this.#calls = calls;
  }

  /** Calls between the position and such a result have results of their own: what begins after one may lie inside of another's round. */
  startFrom(position: number): number {
    let start = Math.max(position, this.#last + 1);
    for (let call = this.#calls[this.#next]; call !== undefined && call.position < start; call = this.#calls[++this.#next]) {
      this.#last = Math.max(this.#last, call.result?.position ?? -1);
      start = Math.max(start, this.#last + 1);
    }
    return start;
  }
}

/** Does someone other than the assistant and its tools speak here? */
export function saysMore(message: Message, { blockCounts, resultsBefore }: LogIndex, position: number): boolean {
  if (message.role === "assistant") return false;
  if (message.role === "system") return true;
  const results = (resultsBefore[position + 1] ?? 0) - (resultsBefore[position] ?? 0);
  return (
    results !== blockCounts[position] && !blocksOf(message).every((block) => isToolResult(block) || isReminder(block) || checkpointId(block) !== undefined)
  );
}

/** Where the stretch has to end so that no call in it is answered behind it, or by the provider (A3). */
function wholeRounds({ calls, callsBefore, providerRunAt }: LogIndex, from: number, to: number): number {
  let end = to;
  for (let number = (callsBefore[to] ?? calls.length) - 1; number >= 0; number--) {
    const call = calls[number];
    if (call === undefined || call.position >= end) continue;
    if (call.position < from) break;
    if (call.result === undefined || call.result.position >= end) end = call.position;
  }
  return Math.min(end, providerRunAt[countBelow(providerRunAt, from)] ?? end);
}
