import { comparePlaces, isBefore, type Place } from "../messages/place.ts";
import type { Proposal } from "./edit.ts";
import { isSpanEdit, type BlockEdit } from "./edit-places.ts";

export interface PlacedEdit {
  readonly at: Place;
  readonly edit: BlockEdit;
}

/** Returns the edits on single blocks in order, one for each block: the one with the latest `madeAt` or, on a tie, the later in the list. */
export function newestBlockEdits(edits: readonly Proposal[]): PlacedEdit[] {
  const placed: PlacedEdit[] = [];
  for (const edit of edits) {
    if (isSpanEdit(edit)) continue;
    if (edit.kind === "strip-blocks") for (const at of edit.at) placed[placed.length] = { at, edit };
    else placed[placed.length] = { at: edit.at, edit };
  }
  return isAscending(placed) ? placed : newestOfEach(placed.sort((a, b) => comparePlaces(a.at, b.at)));
}

/** Returns whether the edits are already in order, one per block, as proposals of one pass are. */
function isAscending(placed: readonly PlacedEdit[]): boolean {
  let before: Place | undefined;
  for (const { at } of placed) {
    if (before !== undefined && !isBefore(before, at)) return false;
    before = at;
  }
  return true;
}

function newestOfEach(sorted: readonly PlacedEdit[]): PlacedEdit[] {
  const newest: PlacedEdit[] = [];
  for (const entry of sorted) {
    const rival = newest.at(-1);
    if (rival === undefined || comparePlaces(rival.at, entry.at) !== 0) newest.push(entry);
    else if (rival.edit.madeAt <= entry.edit.madeAt) newest[newest.length - 1] = entry;
  }
  return newest;
}
