import { countBelow } from "./count-below.ts";
import type { LogIndex } from "../messages/index-log.ts";
import { blocksOf, isToolResult, type Message } from "../messages/message.ts";
import { isReminder } from "../messages/reminder.ts";
import { waitingCalls } from "../messages/waiting-calls.ts";
import { checkpointId } from "../messages/checkpoint.ts";

/** A half-open stretch of the log that a digest can replace: whole rounds, without the user's words. */
export interface Digestible {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the longest stretches before `end` that are not kept, in whole rounds. `isKept` must hold wherever somebody other than the assistant
 * and its tools speaks. A stretch that begins with a digest takes it in, so there is never more than one between two user messages.
 */
export function digestibleIn(log: readonly Message[], index: LogIndex, end: number, isKept: (position: number) => boolean): Digestible[] {
  const stretches: Digestible[] = [];
  const results = new LastResults(index);
  let from = 0;
  const close = (to: number): void => {
    // Inside a round that began earlier, a summary would have to come after the round's last result.
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
  // No text may follow a call that the provider has yet to answer (A3.2).
  const waiting = waitingCalls(log, index.calls);
  let begun = 0;
  return stretches.filter(({ from, to }) => {
    while ((waiting[begun]?.call.position ?? Infinity) <= to) begun++;
    return (waiting[begun - 1]?.reach.position ?? -1) < from;
  });
}

/** Finds where all calls before a position have their results. The positions asked about must ascend. */
class LastResults {
  readonly #calls: LogIndex["calls"];
  #next = 0;
  #last = -1;

  constructor({ calls }: LogIndex) {
    this.#calls = calls;
  }

  /** Loops, because calls before such a result may have later results of their own: where one round ends, another may be open. */
  startFrom(position: number): number {
    let start = Math.max(position, this.#last + 1);
    for (let call = this.#calls[this.#next]; call !== undefined && call.position < start; call = this.#calls[++this.#next]) {
      this.#last = Math.max(this.#last, call.result?.position ?? -1);
      start = Math.max(start, this.#last + 1);
    }
    return start;
  }
}

/** Returns whether someone other than the assistant and its tools speaks here. */
export function saysMore(message: Message, { blockCounts, resultsBefore }: LogIndex, position: number): boolean {
  if (message.role === "assistant") return false;
  if (message.role === "system") return true;
  const results = (resultsBefore[position + 1] ?? 0) - (resultsBefore[position] ?? 0);
  return (
    results !== blockCounts[position] && !blocksOf(message).every((block) => isToolResult(block) || isReminder(block) || checkpointId(block) !== undefined)
  );
}

/** Returns where the stretch has to end so that no call in it is answered after it, or by the provider (A3). */
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
