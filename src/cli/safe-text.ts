/** Marks that reverse the direction of text, and so can make a line read as something it is not. */
const TURNS = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const CONTROLS_BUT_TABS = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const DIRECTIONS = new RegExp(`[${TURNS}]+`, "gu");
/** Characters that are legal in JSON but that a terminal should not see. */
const UNSAFE_IN_JSON = new RegExp(`(?!\\n)[\\p{Cc}\\p{Zl}\\p{Zp}${TURNS}]`, "gu");

/** One line that cannot steer the terminal: text from a file could otherwise move the cursor, recolour it or forge lines. Tabs do no harm. */
export function safeLine(text: string): string {
  return text.replace(CONTROLS_BUT_TABS, " ").replace(DIRECTIONS, "");
}

/** Like `safeLine`, and trimmed: for text inside a line. */
export function printable(text: string): string {
  return text.replace(CONTROLS, " ").replace(DIRECTIONS, "").trim();
}

/** Returns the same value as JSON that is safe on a terminal: unsafe characters are only in strings, where they can be escaped. */
export function safeJson(json: string): string {
  return json.replace(UNSAFE_IN_JSON, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
