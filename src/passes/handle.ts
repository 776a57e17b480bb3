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
  return `[recall handle${handles.length === 1 && !(handles[0] ?? "").includes("…") ? "" : "s"}: ${handles.join(" ")}]`;
}

/** The name of the `number`th part, from 1, of what a handle names. */
export function partHandle(handle: string, number: number): string {
  return `${handle}-${number}`;
}

/** The name of several parts, one after the other: `7f3kq20x-3…-7`. */
export function partRange(handle: string, first: number, last: number): string {
  return first === last ? partHandle(handle, first) : `${partHandle(handle, first)}…-${last}`;
}

/** The handle in the name of a part, or of several, and the numbers of the first and the last. */
export interface PartName {
  readonly handle: string;
  readonly part: number;
  readonly lastPart: number;
}

/** Also reads `7f3kq20x-3..-7` and `7f3kq20x-3…7`, as models write it. Undefined: it does not name a part. */
export function parsePartHandle(name: string): PartName | undefined {
  const [, handle, part, last] = /^(.+?)-(\d{1,6})(?:(?:…|\.{2,3})-?(\d{1,6}))?$/.exec(name) ?? [];
  return handle === undefined ? undefined : { handle, part: Number(part), lastPart: Number(last ?? part) };
}

/**
 * The name of a place: the same each time, and another one in another thread. `salt` is for the case that two places share one. `content`
 * tells the same place of two conversations apart that have no thread, or of two branches of one.
 */
export function handleOf(thread: string, at: Place, salt = 0, content = ""): string {
  return BigInt(`0x${hash64(`${thread}|${at.position}.${at.block}|${salt}`, content)}`)
    .toString(36)
    .slice(-HANDLE_LENGTH);
}
