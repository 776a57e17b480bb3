/** A block of the log. For a border between blocks, `block` may equal the number of blocks: "just after the last". */
export interface Place {
  readonly position: number;
  readonly block: number;
}

/** Returns a key for sets and maps of places. */
export function placeKey(at: Place): string {
  return `${at.position}.${at.block}`;
}

export function comparePlaces(a: Place, b: Place): number {
  return a.position - b.position || a.block - b.block;
}

export function isBefore(a: Place, b: Place): boolean {
  return comparePlaces(a, b) < 0;
}

export function laterOf(a: Place, b: Place): Place {
  return isBefore(a, b) ? b : a;
}

/** Counts the places of an ascending list before this one. */
export function countBefore(ascending: readonly Place[], limit: Place): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const place = ascending[middle];
    if (place !== undefined && isBefore(place, limit)) low = middle + 1;
    else high = middle;
  }
  return low;
}
