import { hash64 } from "../edits/edit-id.ts";
import type { Place } from "../messages/place.ts";

const HANDLE_LENGTH = 8;

/** The tool that takes a handle. */
export const RECALL = "recall";

/** How a shortened piece names what it was made from: in one form everywhere, so that a model learns it once. */
export function handleNote(handle: string): string {
  return `[recall handle: ${handle}]`;
}

/** The name of a place: the same each time, and another one in another thread. `salt` is for the case that two places share one. */
export function handleOf(thread: string, at: Place, salt = 0): string {
  return BigInt(`0x${hash64(`${thread}|${at.position}.${at.block}|${salt}`)}`)
    .toString(36)
    .slice(-HANDLE_LENGTH);
}
