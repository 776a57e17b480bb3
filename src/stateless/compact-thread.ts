import { oneOf, parseOptions, type Field } from "../errors/parse-options.ts";
import type { Proposal } from "../edits/edit.ts";
import { firstPlace } from "../edits/edit-places.ts";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import { indexLog } from "../messages/index-log.ts";
import type { Message } from "../messages/message.ts";
import { isRecord } from "../errors/is-record.ts";
import { isBefore, type Place } from "../messages/place.ts";
import { lacksLoopThinking } from "../messages/rules/thinking.ts";
import type { Target } from "../messages/target.ts";
import { replaceBetweenCheckpoints, type Replacement } from "../passes/replace-between-checkpoints/replace-between-checkpoints.ts";
import { stripVolatile } from "../passes/strip-volatile/strip-volatile.ts";
import { parseTargetedLog, renderOnce, type TargetedLog } from "./render-once.ts";

export interface CompactThreadOptions {
  /** Removes reminders and thinking everywhere ("all", the default), or only after the first replacement, so that the cache before it survives. */
  readonly strip?: "all" | "after-edit";
  readonly target?: Partial<Target>;
}

const TARGET: Field<Partial<Target>> = { expected: "a target", accepts: (value): value is Partial<Target> => isRecord(value) };
const COMPACT_FIELDS = { strip: oneOf("all", "after-edit"), target: TARGET };

/** Returns the thread with summaries in place of the stretches between checkpoints. Throws, and changes nothing, if one of them is impossible. */
export function compactThread(messages: readonly Message[], replacements: readonly Replacement[], options: CompactThreadOptions = {}): Message[] {
  const { strip = "all", target } = parseOptions(options, "options", COMPACT_FIELDS);
  const call = parseTargetedLog(messages, target, "options.target");
  const ranges = replaceBetweenCheckpoints(call.log, [], { ...call, replacements });
  const view = renderOnce(call, [...ranges, ...stripAround(call, [], ranges, strip)]);
  refuseLostLoopThinking(call, view);
  return view;
}

/** Strips reminders and thinking along with new ranges, everywhere or after the first of them. `edits`: those in force before. */
export function stripAround(call: TargetedLog, edits: readonly Proposal[], ranges: readonly Proposal[], strip: "all" | "after-edit"): Proposal[] {
  const from: Place = strip === "all" ? { position: 0, block: 0 } : firstOf(ranges);
  return stripVolatile(call.log, [...edits, ...ranges], { ...call, from });
}

/** Throws if an open loop would lose its first thinking: in manual mode, a turn that results continue has to start with thinking (A4.2). */
function refuseLostLoopThinking({ log, index, target }: TargetedLog, view: readonly Message[]): void {
  if (target.thinking !== "manual" || !lacksLoopThinking(view, indexLog(view)) || lacksLoopThinking(log, index)) return;
  throw new PalimpsestError("LOOP_OPEN", "The open tool loop would lose the thinking that it has to start with. Compact when the turn is over.", {
    before: log.length,
  });
}

function firstOf(edits: readonly Proposal[]): Place {
  return edits.map(firstPlace).reduce((first, place) => (isBefore(place, first) ? place : first));
}
