import type { LogIndex } from "../../messages/index-log.ts";
import { headOf } from "../../messages/head-of.ts";
import type { Message } from "../../messages/message.ts";
import type { Place } from "../../messages/place.ts";
import { quoteLines } from "../../summarize/quote.ts";
import type { Digestible } from "../digestible.ts";
import { callKey, digestedCall, type DigestedCall } from "./told-call.ts";

/** Shows this many lines from the start and from the end of an error. */
const FIRST_LINES = 4;
const LAST_LINES = 8;
const LINE_CHARS = 200;

export interface LastError {
  readonly at: Place;
  readonly call: DigestedCall;
}

/** The last call that failed and was not made again since with success. Sought once for all digests of a log. */
export function lastErrorIn(log: readonly Message[], { calls }: LogIndex): LastError | undefined {
  const mended = new Set<string>();
  for (const call of calls.toReversed()) {
    if (call.result === undefined) continue;
    const told = digestedCall(log, call);
    const key = callKey(told);
    if (told.failed && !mended.has(key)) return { at: call.result, call: told };
    if (!told.failed) mended.add(key);
  }
  return undefined;
}

/** What it said, if it lies in the stretch: else a later message shows it. */
export function lastErrorLines(last: LastError | undefined, { from, to }: Digestible, nameOf: (call: DigestedCall) => string): string[] {
  if (last === undefined || last.at.position < from || last.at.position >= to) return [];
  const lines = last.call.result.trim().split("\n");
  const cut = lines.length - FIRST_LINES - LAST_LINES;
  const shown = cut <= 1 ? lines : [...lines.slice(0, FIRST_LINES), `[… ${cut} lines]`, ...lines.slice(-LAST_LINES)];
  const quoted = quoteLines("|", shown.map((line) => headOf(line, LINE_CHARS)).join("\n")); // prettier-ignore
  return [`Last error, not mended since: ${nameOf(last.call)}`, ...quoted.trimEnd().split("\n")];
}
