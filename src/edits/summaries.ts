import type { LogIndex } from "../messages/index-log.ts";
import type { Call } from "../messages/open-calls.ts";
import type { Message } from "../messages/message.ts";
import { countBefore, isBefore, laterOf, type Place } from "../messages/place.ts";
import { isBlank } from "./blank.ts";
import type { ChangedMessages } from "./changed-messages.ts";
import type { Coverage } from "./coverage.ts";
import type { OuterSpans } from "./spans.ts";
import { borderBehind } from "./border.ts";

export interface Summary {
  /** Shown before this block. */
  readonly block: number;
  readonly message: Message;
}

/**
 * Returns the summaries of the ranges, by the position at which they are shown: the start of the range, but never inside a round
 * (A2.1: results come right after their calls, A2.3: before any text) or between a user message and its system message (A1.10).
 */
export function placeSummaries(
  log: readonly Message[],
  index: LogIndex,
  outer: OuterSpans,
  coverage: Coverage,
  changed: ChangedMessages,
): Map<number, Summary[]> {
  const { calls } = index;
  const summaries = new Map<number, Summary[]>();
  const ranges = outer.ranges.filter((range) => !isBlank(range.edit.summary));
  const lastRange = ranges.at(-1);
  if (lastRange === undefined) return summaries;
  // If all ranges begin before the first call, none begins inside a round.
  const reach = calls[0] === undefined || !isBefore(calls[0], lastRange.from) ? [] : reachOfRounds(calls, coverage);
  for (const { from, edit } of ranges) {
    const at = afterSystemMessages(log, afterOpenRounds(index, from, reach), changed);
    const summary = { block: at.block, message: { role: edit.role, content: edit.summary } };
    const here = summaries.get(at.position);
    if (here === undefined) summaries.set(at.position, [summary]);
    else here.push(summary);
  }
  return summaries;
}

/** Returns, for each call, the furthest shown block that belongs to it or to an earlier call. */
function reachOfRounds(calls: readonly Call[], coverage: Coverage): Place[] {
  const ends = new Array<Place>(calls.length);
  for (const call of calls) {
    const end = coverage.resultOf(call) ?? call;
    ends[call.number] = end;
    if (call.owner !== undefined) ends[call.owner.number] = laterOf(ends[call.owner.number] ?? end, end);
  }
  let furthest: Place = NOWHERE;
  for (const call of calls) {
    if (!coverage.hidesCall(call)) furthest = laterOf(furthest, ends[call.number] ?? call);
    ends[call.number] = furthest;
  }
  return ends;
}

const NOWHERE: Place = { position: -1, block: 0 };

function afterOpenRounds(index: LogIndex, from: Place, reach: readonly Place[]): Place {
  let at = from;
  for (;;) {
    const furthest = reach[countBefore(index.calls, at) - 1];
    if (furthest === undefined || isBefore(furthest, at)) return at;
    at = borderBehind(index, furthest);
  }
}

/** Moves past system messages. If the message that they follow is hidden, so are they, and then the summary may stand anywhere among them. */
function afterSystemMessages(log: readonly Message[], at: Place, changed: ChangedMessages): Place {
  if (at.block > 0 && changed.showsFrom(at.position, at.block)) return at;
  const next = at.block > 0 ? at.position + 1 : at.position;
  if (log[next]?.role !== "system") return at;
  let position = next;
  while (log[position]?.role === "system") position++;
  return { position, block: 0 };
}
