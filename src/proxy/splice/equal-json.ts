import { isRecord } from "../../errors/is-record.ts";

/** Are both the same JSON, whatever the order of their keys? A field that is undefined is none. */
export function equalJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b, equalJson);
  return isRecord(a) && isRecord(b) && equalFields(a, b, keysOf, equalJson);
}

/**
 * Are both the same to the model? Cache markers say nothing to it, and a text is the same as a list with this one block: Claude Code
 * turns one into the other as its marker moves.
 */
export function equalButForMarkers(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a === "string") return isOneText(b, a);
  if (typeof b === "string") return isOneText(a, b);
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b, equalButForMarkers);
  return isRecord(a) && isRecord(b) && equalFields(a, b, keysButMarkers, equalButForMarkers);
}

type Fields = Readonly<Record<string, unknown>>;
type Equal = (a: unknown, b: unknown) => boolean;

function equalLists(a: readonly unknown[], b: readonly unknown[], equal: Equal): boolean {
  return a.length === b.length && a.every((element, index) => equal(element, b[index]));
}

function equalFields(a: Fields, b: Fields, keys: (fields: Fields) => readonly string[], equal: Equal): boolean {
  const given = keys(a);
  return given.length === keys(b).length && given.every((key) => Object.hasOwn(b, key) && b[key] !== undefined && equal(a[key], b[key]));
}

/** Returns the keys that JSON would have. */
export function keysOf(fields: Fields): readonly string[] {
  return Object.keys(fields).filter((key) => fields[key] !== undefined);
}

function keysButMarkers(fields: Fields): readonly string[] {
  return keysOf(fields).filter((key) => key !== "cache_control" || !isMarker(fields[key]));
}

/** The input of a call may have a field of this name too. */
function isMarker(value: unknown): boolean {
  return value === null || (isRecord(value) && value["type"] === "ephemeral");
}

function isOneText(value: unknown, text: string): boolean {
  if (!Array.isArray(value) || value.length !== 1) return false;
  const block: unknown = value[0];
  return isRecord(block) && block["type"] === "text" && block["text"] === text && keysButMarkers(block).length === 2;
}
