import { hash64 } from "../edits/edit-id.ts";
import type { Place } from "../messages/place.ts";
import { originalParts } from "./original-parts.ts";

const HANDLE_LENGTH = 8;

/** The tool that takes a handle. */
export const RECALL = "recall";

/**
 * How a shortened piece names what it was made from: in one form everywhere, so that a model learns it once. A long original has a
 * name for each of its parts, so that a recall need not bring back all of it.
 */
export function handleNote(handle: string, original = ""): string {
  const parts = originalParts(original).length;
  return parts < 2 ? noteOf([handle]) : noteOf(Array.from({ length: parts }, (_, part) => partHandle(handle, part + 1)));
}

/** The note that names these. */
export function noteOf(handles: readonly string[]): string {
  return `[recall handle${handles.length === 1 ? "" : "s"}: ${handles.join(" ")}]`;
}

/** The name of the `number`th part, from 1, of what a handle names. */
export function partHandle(handle: string, number: number): string {
  return `${handle}-${number}`;
}

/** The handle in the name of a part, and the number of the part; undefined: it is not the name of a part. */
export function parsePartHandle(name: string): { readonly handle: string; readonly part: number } | undefined {
  const [, handle, part] = /^(.+)-(\d{1,6})$/.exec(name) ?? [];
  return handle === undefined ? undefined : { handle, part: Number(part) };
}

/** The name of a place: the same each time, and another one in another thread. `salt` is for the case that two places share one. */
export function handleOf(thread: string, at: Place, salt = 0): string {
  return BigInt(`0x${hash64(`${thread}|${at.position}.${at.block}|${salt}`)}`)
    .toString(36)
    .slice(-HANDLE_LENGTH);
}
