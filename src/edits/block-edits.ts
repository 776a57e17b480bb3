import { comparePlaces, type Place } from "../messages/place.ts";
import type { Proposal } from "./edit.ts";
import { isSpanEdit, placesOf, type BlockEdit } from "./edit-places.ts";

export interface PlacedEdit {
  readonly at: Place;
  readonly edit: BlockEdit;
}

/** The edits on single blocks, one for each block, in order. On one block the edit with the latest `madeAt` shows, on a tie the later in the list. */
export function newestBlockEdits(edits: readonly Proposal[]): PlacedEdit[] {
  const placed: PlacedEdit[] = [];
  for (const edit of edits) if (!isSpanEdit(edit)) for (const at of placesOf(edit)) placed.push({ at, edit });
  placed.sort((a, b) => comparePlaces(a.at, b.at));
  const newest: PlacedEdit[] = [];
  for (const entry of placed) {
    const rival = newest.at(-1);
    if (rival === undefined || comparePlaces(rival.at, entry.at) !== 0) newest.push(entry);
    else if (rival.edit.madeAt <= entry.edit.madeAt) newest[newest.length - 1] = entry;
  }
  return newest;
}
