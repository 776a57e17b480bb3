import type { LogIndex } from "../messages/index-log.ts";
import type { Place } from "../messages/place.ts";

/** Normalizes a border: "just after the last block" and "before the next message" are the same. */
export function borderOf({ blockCounts }: LogIndex, at: Place): Place {
  return at.block > 0 && at.block >= (blockCounts[at.position] ?? Infinity) ? { position: at.position + 1, block: 0 } : at;
}

/** Returns the border after a block. */
export function borderBehind({ blockCounts }: LogIndex, { position, block }: Place): Place {
  return block + 1 >= (blockCounts[position] ?? Infinity) ? { position: position + 1, block: 0 } : { position, block: block + 1 };
}
