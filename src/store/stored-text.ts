import { storeFailed } from "./store-failed.ts";

/**
 * Names and words as a database can hold and compare them. PostgreSQL refuses U+0000 in text, and half of a surrogate pair has no
 * UTF-8; both occur in what models and tools write. So each such character becomes an escape, one by one: what was different stays
 * different, and the beginning of a name stays the beginning of it.
 */
const ESCAPE = "\u001a";
// eslint reads control characters in a pattern as a slip, so the pattern is put together.
const UNSTORABLE = new RegExp(`[\\p{Cs}\\u0000${ESCAPE}]`, "gu");
const ESCAPED = new RegExp(`${ESCAPE}(....)`, "gu");

export function encodeText(text: string): string {
  return text.replace(UNSTORABLE, (character) => ESCAPE + hexOf(character));
}

/** A damaged file may hold a number or bytes where a text was stored. */
export function decodeText(stored: string): string {
  if (typeof (stored as unknown) !== "string") throw storeFailed("the store", "reading", "a text in it is damaged. `palimpsest verify` says where.");
  return stored.replace(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Where the order of UTF-16 units is that of code points, and nothing is escaped. */
const PLAIN = /^[ -\ud7ff]*$/;

/** The order of code points, in which databases sort too; that of UTF-16 units is another one. */
export function compareText(a: string, b: string): number {
  if (PLAIN.test(a) && PLAIN.test(b)) return a < b ? -1 : Number(a > b);
  return Buffer.compare(Buffer.from(encodeText(a)), Buffer.from(encodeText(b)));
}

/** More of the last character than a name can have: it has at most 500 UTF-16 units, and this character takes two. */
const LAST = "\u{10ffff}".repeat(251);

/** Sorts after every name that begins like this one, and before all others that come after them. */
export function afterLast(beginning: string): string {
  return beginning + LAST;
}

export function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, "0");
}
