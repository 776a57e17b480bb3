import type { Call } from "./open-calls.ts";
import type { Message } from "./message.ts";
import { isBefore, laterOf, type Place } from "./place.ts";
import { answersCalls } from "./tool-loop.ts";

/**
 * A call that the provider answers in a later message, or has yet to answer. Up to its result, or to the end of its loop, only
 * results may follow it (A3.2).
 */
export interface WaitingCall {
  readonly call: Call;
  readonly until: Place;
  /** The furthest `until` of this call and those before it. */
  readonly reach: Place;
}

/** Returns the waiting calls in log order. */
export function waitingCalls(log: readonly Message[], calls: readonly Call[]): WaitingCall[] {
  const waiting: WaitingCall[] = [];
  let end = 0;
  for (const call of calls) {
    if (!call.server || call.result?.position === call.position) continue;
    if (end <= call.position) end = endOfLoop(log, call.position);
    const until = call.result ?? { position: end, block: 0 };
    waiting.push({ call, until, reach: laterOf(until, waiting.at(-1)?.reach ?? until) });
  }
  return waiting;
}

/** Returns the next position at which the user speaks instead of answering calls. */
function endOfLoop(log: readonly Message[], position: number): number {
  let end = position + 1;
  for (let message = log[end]; message !== undefined; message = log[++end])
    if (message.role === "user" && message.content.length > 0 && !answersCalls(message)) break;
  return end;
}

/** Returns the waiting call that text at this place would follow. */
export function waitingAt(waiting: readonly WaitingCall[], at: Place): Call | undefined {
  // The first that reaches the place is the first that waits until then.
  const call = waiting[countReachingBefore(waiting, at)]?.call;
  return call !== undefined && isBefore(call, at) ? call : undefined;
}

function countReachingBefore(waiting: readonly WaitingCall[], at: Place): number {
  let low = 0;
  let high = waiting.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const reach = waiting[middle]?.reach;
    if (reach !== undefined && isBefore(reach, at)) low = middle + 1;
    else high = middle;
  }
  return low;
}
