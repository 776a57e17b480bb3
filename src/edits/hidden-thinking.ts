import { NO_LOOP, type LogIndex } from "../messages/index-log.ts";
import { blocksOf, isThinking, type Message } from "../messages/message.ts";
import { comparePlaces, countBefore, isBefore, laterOf, type Place } from "../messages/place.ts";
import { bindsPrefix, type Target } from "../messages/target.ts";
import type { Proposal } from "./edit.ts";
import { firstPlace } from "./edit-places.ts";

/** Thinking after `after`, in messages before `until`, cannot be shown because of this edit. */
interface HiddenStretch {
  readonly after: Place;
  readonly until: number;
  readonly edit: Proposal;
}

/** Returns the edit that hides the thinking at a place, if any. Places must be requested in ascending order. */
export type HiddenThinking = (at: Place) => Proposal | undefined;

/**
 * Thinking is bound to the prefix as it was sent when the thinking was produced (A4.8). A block at position q may be shown
 * only if the edits before it that are in force now are the same as when the log had length q. Positions and times
 * are on the same scale, so each edit that was made or undone since hides one stretch of the log.
 *
 * The thinking of an open loop is shown as a whole or not at all (A4.1): an edit or an undo that hides some of it counts as
 * lying before the loop's first message. An edit that no thinking follows, as at ingest, hides none. That rule, and only
 * that one, also applies if the target does not bind thinking.
 */
export function hiddenThinking(log: readonly Message[], index: LogIndex, edits: readonly Proposal[], target: Target & { seenFrom: number }): HiddenThinking {
  const binds = bindsPrefix(target);
  const stretches: HiddenStretch[] = [];
  let madeAt = -1;
  let seenAt = 0;
  for (const edit of edits) {
    // The model saw the edit from here on: before `seenFrom` it read the log itself. Computed once for all edits of a pass, which were made at the same time.
    if (edit.madeAt !== madeAt) seenAt = nextRequest(log, Math.min(Math.max(edit.madeAt, target.seenFrom), log.length));
    madeAt = edit.madeAt;
    const undoneAt = edit.undoneAt !== undefined && edit.undoneAt <= log.length ? nextRequest(log, edit.undoneAt) : undefined;
    const flip = undoneAt ?? seenAt;
    const loopStart = index.loops[flip] ?? NO_LOOP;
    const loop: Place = { position: loopStart, block: -1 };
    const taken = firstTaken(log, edit);
    const place = undoneAt === undefined ? taken : laterOf(taken, { position: seenAt, block: -1 });
    if (isInside(stretches.at(-1), place, loop, flip)) continue;
    const removes = loopStart !== NO_LOOP && undoneAt === undefined && removesThinking(index, edit, loop);
    const breaksLoop = removes || (loopStart !== NO_LOOP && thinkingBetween(index, laterOf(place, loop), flip));
    if (!binds && !removes) continue;
    stretches.push({ after: breaksLoop && isBefore(loop, place) ? loop : place, until: flip, edit });
  }
  return sweep(stretches);
}

/**
 * Returns whether the stretch hides everything that one after this place, or one that begins with the loop, would hide. The edits of
 * one pass come in order, so usually the first stretch does.
 */
function isInside(stretch: HiddenStretch | undefined, place: Place, loop: Place, until: number): boolean {
  if (stretch === undefined || stretch.until < until || isBefore(place, stretch.after)) return false;
  return loop.position === NO_LOOP || !isBefore(loop, stretch.after);
}

/** If a range begins right after thinking, that thinking might be left at the end of its turn, so it is hidden too (A4.5). */
function firstTaken(log: readonly Message[], edit: Proposal): Place {
  let taken = firstPlace(edit);
  if (edit.kind !== "replace-range") return taken;
  for (let at = blockBefore(log, taken); at !== undefined && at.isThinking; at = blockBefore(log, at)) taken = { position: at.position, block: at.block - 1 };
  return taken;
}

/** Returns the block before this place in the same response. */
function blockBefore(log: readonly Message[], at: Place): (Place & { readonly isThinking: boolean }) | undefined {
  const position = at.block > 0 ? at.position : at.position - 1;
  const message = log[position];
  if (message?.role !== "assistant") return undefined;
  const blocks = blocksOf(message);
  const number = at.block > 0 ? at.block - 1 : blocks.length - 1;
  const block = blocks[number];
  return block === undefined ? undefined : { position, block: number, isThinking: isThinking(block) };
}

/** Neighbouring assistant messages are one response (A1.3), so an edit made between them shows from the next request on. */
function nextRequest(log: readonly Message[], length: number): number {
  let at = length;
  while (log[at - 1]?.role === "assistant" && log[at]?.role === "assistant") at++;
  return at;
}

/** Returns whether there is thinking after this place that was produced before this time. */
function thinkingBetween({ thinking }: LogIndex, place: Place, time: number): boolean {
  const last = lastBefore(thinking, { position: time, block: -1 });
  return last !== undefined && isBefore(place, last);
}

/** Returns whether the edit itself removes thinking of the loop that begins here. */
function removesThinking({ thinking }: LogIndex, edit: Proposal, loop: Place): boolean {
  switch (edit.kind) {
    case "strip-blocks":
      return edit.at.some((at) => isBefore(loop, at) && isThinkingAt(thinking, at));
    case "collapse-round":
      return edit.call >= loop.position && lastBefore(thinking, { position: edit.call, block: Infinity })?.position === edit.call;
    case "replace-range": {
      const last = lastBefore(thinking, edit.to);
      return last !== undefined && !isBefore(last, laterOf(edit.from, loop));
    }
    default:
      return false;
  }
}

function isThinkingAt(thinking: readonly Place[], at: Place): boolean {
  const last = lastBefore(thinking, { position: at.position, block: at.block + 1 });
  return last?.position === at.position && last.block === at.block;
}

function lastBefore(ascending: readonly Place[], limit: Place): Place | undefined {
  return ascending[countBefore(ascending, limit) - 1];
}

/** Sweeps the stretches: of those that begin before a place, only the one that reaches furthest matters. */
function sweep(stretches: HiddenStretch[]): HiddenThinking {
  stretches.sort((a, b) => comparePlaces(a.after, b.after));
  let next = 0;
  let furthest: HiddenStretch | undefined;
  return (at) => {
    for (let stretch = stretches[next]; stretch !== undefined && isBefore(stretch.after, at); stretch = stretches[++next]) {
      if (furthest === undefined || stretch.until > furthest.until) furthest = stretch;
    }
    return furthest !== undefined && at.position < furthest.until ? furthest.edit : undefined;
  };
}
