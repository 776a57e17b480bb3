import { borderOf } from "../edits/border.ts";
import { roundSpan } from "../edits/spans.ts";
import { comparePlaces, isBefore, type Place } from "../messages/place.ts";
import { endOfUnit, runsOf, type Chosen, type Run } from "./compress-runs.ts";
import type { BranchState } from "./branch-state.ts";

interface Stretch {
  readonly from: Place;
  readonly to: Place;
}

/**
 * Returns the runs that the chosen units form beside the ranges in force. A run may take in a whole range, but never begins or ends
 * inside one: it stops at the range. Messages that a range hides are not summarized again, as nobody would see the summary.
 */
export function runsBesideRanges(state: BranchState, chosen: Chosen): Run[] {
  const ranges = rangesIn(state);
  const preserved = new Set(chosen.preserved);
  for (;;) {
    const runs = runsOf(state, { ...chosen, preserved });
    const stretches = runs.map((run) => stretchOf(state, run));
    const crossed = ranges.filter((range) => stretches.some((stretch) => cross(range, stretch)));
    if (crossed.length === 0) return runs.filter((_, number) => !ranges.some((range) => isInside(stretches[number], range)));
    // Terminates, because no run holds a preserved unit, and so every pass preserves more units.
    for (const { number } of state.units) {
      const unit = stretchOf(state, { from: number, to: number });
      if (crossed.some((range) => overlap(range, unit))) preserved.add(number);
    }
  }
}

function rangesIn({ inForce, conversation: { index } }: BranchState): Stretch[] {
  return inForce.flatMap(({ edit }): Stretch[] => {
    if (edit.kind === "replace-range") return [{ from: borderOf(index, edit.from), to: borderOf(index, edit.to) }];
    return edit.kind === "collapse-round" ? [roundSpan(index, edit)] : [];
  });
}

function stretchOf(state: BranchState, { from, to }: Omit<Run, "kind">): Stretch {
  const [first, last] = [state.units[from], state.units[to]];
  const start = { position: first?.position ?? 0, block: first?.from ?? 0 };
  const { index } = state.conversation;
  return { from: borderOf(index, start), to: last === undefined ? start : borderOf(index, endOfUnit(last)) };
}

function cross(a: Stretch, b: Stretch): boolean {
  return overlap(a, b) && !holds(a, b) && !holds(b, a);
}

function overlap(a: Stretch, b: Stretch): boolean {
  return isBefore(a.from, b.to) && isBefore(b.from, a.to);
}

function holds(outer: Stretch, inner: Stretch): boolean {
  return !isBefore(inner.from, outer.from) && !isBefore(outer.to, inner.to);
}

/** Strictly inside: on exactly the same stretch, the newer summary is shown. */
function isInside(stretch: Stretch | undefined, range: Stretch): boolean {
  return stretch !== undefined && holds(range, stretch) && (comparePlaces(stretch.from, range.from) !== 0 || comparePlaces(stretch.to, range.to) !== 0);
}
