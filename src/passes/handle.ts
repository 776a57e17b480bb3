import { hash64 } from "../edits/edit-id.ts";
import type { Place } from "../messages/place.ts";
import { originalParts } from "./original-parts.ts";

const HANDLE_LENGTH = 8;

/** The name of the tool that takes a handle. */
export const RECALL = "recall";

/**
 * Returns the note by which a shortened piece names its original, in the same form everywhere, so that a model learns it once. A long original has a
 * handle for each of its parts, so that a recall need not bring back all of it.
 */
export function handleNote(handle: string, original = ""): string {
  const parts = originalParts(original).length;
  return parts < 2 ? noteOf([handle]) : noteOf(Array.from({ length: parts }, (_, part) => partHandle(handle, part + 1)));
}

/** Returns the note that names these handles. */
export function noteOf(handles: readonly string[]): string {
  return `[recall handle${handles.length === 1 && !(handles[0] ?? "").includes("…") ? "" : "s"}: ${handles.join(" ")}]`;
}

/** Returns the name of the `number`th part, from 1, of what a handle names. */
export function partHandle(handle: string, number: number): string {
  return `${handle}-${number}`;
}

/** Returns the name of several consecutive parts: `7f3kq20x-3…-7`. */
export function partRange(handle: string, first: number, last: number): string {
  return first === last ? partHandle(handle, first) : `${partHandle(handle, first)}…-${last}`;
}

/** The handle in the name of one or several parts, and the numbers of the first and the last. */
export interface PartName {
  readonly handle: string;
  readonly part: number;
  readonly lastPart: number;
}

/** Parses the name of parts. Also accepts `7f3kq20x-3..-7` and `7f3kq20x-3…7`, as models write it. Undefined: it does not name a part. */
export function parsePartHandle(name: string): PartName | undefined {
  const [, handle, part, last] = /^(.+?)-(\d{1,6})(?:(?:…|\.{2,3})-?(\d{1,6}))?$/.exec(name) ?? [];
  return handle === undefined ? undefined : { handle, part: Number(part), lastPart: Number(last ?? part) };
}

/**
 * Returns the handle of a place: always the same in a thread, and different in another. `salt` resolves collisions between places. `content`
 * makes the handles of the same place differ between two conversations without a thread, or two branches of one.
 */
export function handleOf(thread: string, at: Place, salt = 0, content = ""): string {
  return BigInt(`0x${hash64(`${thread}|${at.position}.${at.block}|${salt}`, content)}`)
    .toString(36)
    .slice(-HANDLE_LENGTH);
}
