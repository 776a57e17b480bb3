import { comparePlaces, type Place } from "../messages/place.ts";
import type { Proposal } from "./edit.ts";
import { isSpanEdit, placesOf, type BlockEdit } from "./edit-places.ts";

interface PlacedEdit {
  readonly at: Place;
  readonly edit: BlockEdit;
}

/** The edits on single blocks. On one block the edit with the latest `madeAt` shows, on a tie the later in the list. */
export class BlockEdits {
  /** One for each block, in order. */
  readonly newest: readonly PlacedEdit[];
  /** Is there an edit that may turn a call into text, so that its result has to go? */
  readonly replacesBlocks: boolean;

  constructor(edits: readonly Proposal[]) {
    const placed: PlacedEdit[] = [];
    for (const edit of edits) if (!isSpanEdit(edit)) for (const at of placesOf(edit)) placed.push({ at, edit });
    this.newest = newestOfEach(placed);
    this.replacesBlocks = placed.some(({ edit }) => edit.kind === "replace-block");
  }

  at(place: Place): BlockEdit | undefined {
    let low = 0;
    let high = this.newest.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const entry = this.newest[middle];
      if (entry !== undefined && comparePlaces(entry.at, place) < 0) low = middle + 1;
      else high = middle;
    }
    const found = this.newest[low];
    return found !== undefined && comparePlaces(found.at, place) === 0 ? found.edit : undefined;
  }
}

function newestOfEach(placed: PlacedEdit[]): PlacedEdit[] {
  const isOrdered = placed.every(({ at }, number) => number === 0 || comparePlaces(placed[number - 1]?.at ?? at, at) <= 0);
  if (!isOrdered) placed.sort((a, b) => comparePlaces(a.at, b.at));
  const newest: PlacedEdit[] = [];
  for (const entry of placed) {
    const rival = newest.at(-1);
    if (rival === undefined || comparePlaces(rival.at, entry.at) !== 0) newest.push(entry);
    else if (rival.edit.madeAt <= entry.edit.madeAt) newest[newest.length - 1] = entry;
  }
  return newest;
}
