import { toldCall } from "../../content/files/ledger.ts";
import type { LogIndex } from "../../messages/index-log.ts";
import type { Message } from "../../messages/message.ts";
import type { Call } from "../../messages/open-calls.ts";
import { lastErrorOf, outlinedCall, type OutlinedCall } from "../../text/outline/outlined-call.ts";

/** A call of the log. */
export interface DigestedCall extends OutlinedCall {
  readonly position: number;
  /** The position of its result. */
  readonly answeredAt: number | undefined;
}

function digestedCall(log: readonly Message[], call: Call): DigestedCall {
  return outlinedCall({ ...toldCall(log, call), position: call.position, answeredAt: call.result?.position });
}

/** Returns the calls of a half-open stretch. */
export function callsBetween(log: readonly Message[], { calls, callsBefore }: LogIndex, from: number, to: number): DigestedCall[] {
  return calls.slice(callsBefore[from], callsBefore[to]).map((call) => digestedCall(log, call));
}

/** Returns the last error of a log that was not fixed since. Found once for all of its digests. */
export function lastErrorIn(log: readonly Message[], { calls }: LogIndex): DigestedCall | undefined {
  return lastErrorOf(answeredCalls());

  function* answeredCalls(): Generator<DigestedCall> {
    for (const call of calls.toReversed()) if (call.result !== undefined) yield digestedCall(log, call);
  }
}
