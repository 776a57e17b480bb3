import type { Call } from "./open-calls.ts";
import type { Message } from "./message.ts";
import { isBefore, type Place } from "./place.ts";
import { answersCalls } from "./tool-loop.ts";

/**
 * A call that the provider answers in a later message, or has yet to answer: from it to its result, or to the end of its
 * loop, nothing but results may come (A3.2).
 */
export interface WaitingCall {
  readonly call: Call;
  readonly until: Place;
}

export function waitingCalls(log: readonly Message[], calls: readonly Call[]): WaitingCall[] {
  const late = calls.filter((call) => call.server && call.result?.position !== call.position);
  return late.map((call) => ({ call, until: call.result ?? { position: endOfLoop(log, call.position), block: 0 } }));
}

/** The next position at which the user speaks, instead of answering calls. */
function endOfLoop(log: readonly Message[], position: number): number {
  const end = log.findIndex((message, at) => at > position && message.role === "user" && message.content.length > 0 && !answersCalls(message));
  return end === -1 ? log.length : end;
}

/** The waiting call that text at this place would come behind. */
export function waitingAt(waiting: readonly WaitingCall[], at: Place): Call | undefined {
  return waiting.find(({ call, until }) => isBefore(call, at) && !isBefore(until, at))?.call;
}
