import { isRecord } from "../../errors/is-record.ts";

type Fields = Readonly<Record<string, unknown>>;
type Equal = (a: unknown, b: unknown) => boolean;
type Skip = (key: string, value: unknown) => boolean;

/** Returns whether both are the same JSON, in any order of keys. Undefined fields count as missing. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b, equalJson);
  return isRecord(a) && isRecord(b) && equalFields(a, b, isNone, equalJson);
}

/**
 * Returns whether both are the same to the model: it does not see cache markers, and a text equals a list with that one block. Claude Code turns
 * one into the other as its marker moves.
 */
export function equalButForMarkers(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a === "string") return isOneText(b, a);
  if (typeof b === "string") return isOneText(a, b);
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b, equalButForMarkers);
  return isRecord(a) && isRecord(b) && equalFields(a, b, isNoneOrMarker, equalButForMarkers);
}

function equalLists(a: readonly unknown[], b: readonly unknown[], equal: Equal): boolean {
  return a.length === b.length && a.every((element, index) => equal(element, b[index]));
}

/** Builds no list of keys, because this runs for every block of every message of every request. */
function equalFields(a: Fields, b: Fields, skip: Skip, equal: Equal): boolean {
  let more = 0;
  for (const key in a) {
    if (skip(key, a[key])) continue;
    if (!Object.hasOwn(b, key) || !equal(a[key], b[key])) return false;
    more++;
  }
  for (const key in b) if (!skip(key, b[key])) more--;
  return more === 0;
}

/** Returns the keys that JSON would have. */
export function keysOf(fields: Fields): readonly string[] {
  return Object.keys(fields).filter((key) => fields[key] !== undefined);
}

function isNone(_: string, value: unknown): boolean {
  return value === undefined;
}

/** Checks the value too: the input of a call may have a field of this name. */
function isNoneOrMarker(key: string, value: unknown): boolean {
  return value === undefined || (key === "cache_control" && (value === null || (isRecord(value) && value["type"] === "ephemeral")));
}

function isOneText(value: unknown, text: string): boolean {
  if (!Array.isArray(value) || value.length !== 1) return false;
  const block: unknown = value[0];
  if (!isRecord(block) || block["type"] !== "text" || block["text"] !== text) return false;
  return Object.entries(block).filter(([key, field]) => !isNoneOrMarker(key, field)).length === 2;
}
