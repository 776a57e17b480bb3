import { storeFailed } from "./store-failed.ts";

/**
 * Encodes names and words so that a database can hold and compare them. PostgreSQL refuses U+0000 in text, and lone surrogates have no
 * UTF-8; models and tools write both. So each such character becomes an escape, one by one: different names stay
 * different, and a prefix of a name stays a prefix.
 */
const ESCAPE = "\u001a";
// eslint flags control characters in a regular expression literal, so this one is built from a string.
const UNSTORABLE = new RegExp(`[\\p{Cs}\\u0000${ESCAPE}]`, "gu");
const ESCAPED = new RegExp(`${ESCAPE}(....)`, "gu");

export function encodeText(text: string): string {
  return text.replace(UNSTORABLE, (character) => ESCAPE + hexOf(character));
}

/** A damaged file may hold a number or bytes where a text was stored. */
export function decodeText(stored: string): string {
  if (typeof (stored as unknown) !== "string") throw storeFailed("the store", "reading", "a text in it is damaged. `palimpsest verify` reports where.");
  return stored.replace(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Texts in which UTF-16 units sort like code points, and nothing is escaped. */
const PLAIN = /^[ -\ud7ff]*$/;

/** Compares by code points, as databases do; UTF-16 units sort differently. */
export function compareText(a: string, b: string): number {
  if (PLAIN.test(a) && PLAIN.test(b)) return a < b ? -1 : Number(a > b);
  return Buffer.compare(Buffer.from(encodeText(a)), Buffer.from(encodeText(b)));
}

/** Longer than any name in this character: a name has at most 500 UTF-16 units, and this character takes two. */
const LAST = "\u{10ffff}".repeat(251);

/** Returns a text that sorts after every name with this prefix, and before all names that follow those. */
export function afterLast(beginning: string): string {
  return beginning + LAST;
}

export function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, "0");
}
