import type { Edit } from "../edits/edit.ts";
import type { View } from "../edits/view-writer.ts";
import type { LogIndex } from "../messages/index-log.ts";
import type { Message } from "../messages/message.ts";
import type { Place } from "../messages/place.ts";
import { Groups } from "../passes/prune-turns/groups.ts";
import { RECALL } from "../passes/handle.ts";
import type { TargetedLog } from "../stateless/render-once.ts";
import { positionsPinned, positionsWith, type Pin } from "./pin.ts";
import { COMPACT_PASS } from "./tools/compact-tool.ts";

/** What passes leave alone. */
export interface Kept {
  /** Messages that may not change at all. */
  readonly pinned: ReadonlySet<number>;
  /** Messages that no range and no collapsed round may take out. */
  readonly shown: ReadonlySet<number>;
  /** Recently recalled results, which the model would only recall again. */
  readonly recalled: readonly Place[];
  /** Edits that were undone: the pass that made them does not make them again. */
  readonly undone: readonly Edit[];
}

/** After this many further messages, a recalled result is like any other. */
const RECALL_PROTECTED_MESSAGES = 20;

interface KeptIn extends TargetedLog {
  readonly pins: readonly Pin[];
  readonly undone: readonly Edit[];
  /** The last position in the view: the model answers this message, even if the log has later ones. */
  readonly last: number;
  /** Nothing before this position can change. */
  readonly fixedUntil: number;
}

export function keptBy({ log, index, target, pins, undone, last, fixedUntil }: KeptIn): Kept {
  const pinned = new Set([...positionsPinned(pins, index).keys(), ...Array.from({ length: fixedUntil }, (_, position) => position)]);
  const recalled = recentlyRecalled(index, log.length - RECALL_PROTECTED_MESSAGES);
  const positions = positionsWith([...pinned, last, ...recalled.map(({ position }) => position), ...undone.flatMap(positionsPruned)], index);
  return { pinned, recalled, undone, shown: target.thinking === "manual" ? wholeLoops(positions, log, index) : positions };
}

export function lastShown({ positions }: View): number {
  return positions.at(-1) ?? 0;
}

/** Returns the results of `recall` from this position on. */
function recentlyRecalled({ results, answered, resultsBefore }: LogIndex, from: number): Place[] {
  const first = from <= 0 ? 0 : (resultsBefore[from] ?? 0);
  return results.slice(first).filter((_, number) => answered[first + number]?.name === RECALL);
}

/** Ranges that somebody requested and undid do not restrict what a policy may do there. */
const BY_HAND: ReadonlySet<string> = new Set([COMPACT_PASS, "compress"]);

/** Returns the messages of a range that a pass made. Passes take whole messages. */
function positionsPruned(edit: Edit): number[] {
  if (edit.kind !== "replace-range" || BY_HAND.has(edit.pass)) return [];
  return Array.from({ length: edit.to.position - edit.from.position }, (_, offset) => edit.from.position + offset);
}

/** In manual mode a loop stays or goes as a whole: part of it would lack the thinking that it has to begin with (A4.2). */
function wholeLoops(positions: ReadonlySet<number>, log: readonly Message[], index: LogIndex): ReadonlySet<number> {
  const groups = Groups.ofLoops(log, index);
  const kept = new Set([...positions].map((position) => groups.firstOf(position)));
  return new Set([...log.keys()].filter((position) => kept.has(groups.firstOf(position))));
}
