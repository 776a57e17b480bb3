import { PalimpsestError } from "../errors/palimpsest-error.ts";
import type { Edit, Proposal } from "../edits/edit.ts";
import { isSpanEdit, placesOf } from "../edits/edit-places.ts";
import type { LogIndex } from "../messages/index-log.ts";
import { isBefore, type Place } from "../messages/place.ts";

/** Protects a message of the log from being taken out of the view. */
export interface Pin {
  readonly id: string;
  readonly position: number;
  readonly reason: string;
}

/** Returns the protected positions, each with its pin: those of the pins, and those of the matching calls and results. */
export function positionsPinned(pins: readonly Pin[], index: LogIndex): ReadonlyMap<number, Pin> {
  const held = new Map(pins.map((pin) => [pin.position, pin]));
  for (const pin of pins) for (const position of positionsWith([pin.position], index)) if (!held.has(position)) held.set(position, pin);
  return held;
}

/** Returns these positions and those of the matching calls and results: they stay or go together (A2.1, A2.2). */
export function positionsWith(positions: readonly number[], { calls }: LogIndex): ReadonlySet<number> {
  const wanted = new Set(positions);
  const all = new Set(positions);
  if (wanted.size === 0) return all;
  for (const { position, result } of calls) {
    if (result === undefined) continue;
    if (wanted.has(result.position)) all.add(position);
    if (wanted.has(position)) all.add(result.position);
  }
  return all;
}

/** Returns the first of these positions that the edit changes. */
export function positionTaken(edit: Proposal | Edit, positions: Iterable<number>): number | undefined {
  const ascending = [...positions].sort((a, b) => a - b);
  if (ascending.length === 0) return undefined;
  if (!isSpanEdit(edit)) {
    const changed = new Set(placesOf(edit).map((at) => at.position));
    return ascending.find((position) => changed.has(position));
  }
  const from: Place = edit.kind === "replace-range" ? edit.from : { position: edit.call, block: 0 };
  const to: Place = edit.kind === "replace-range" ? edit.to : { position: edit.lastResult + 1, block: 0 };
  return ascending.find((position) => isBefore({ position, block: 0 }, to) && isBefore(from, { position: position + 1, block: 0 }));
}

export function pinnedError({ id, reason, position: at }: Pin, position: number): PalimpsestError {
  const belongs = at === position ? "" : `, which holds position ${at} and what belongs to it`;
  const name = `${id}${reason === "" ? "" : ` (${reason})`}`;
  return new PalimpsestError("PINNED", `The message at position ${position} is held by pin ${name}${belongs}: it cannot be taken out of the view.`, {
    pin: id,
    position,
  });
}
