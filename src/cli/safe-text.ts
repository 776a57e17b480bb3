/** Marks that turn the direction of text around: with them, a line reads as something else than it is. */
const TURNS = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const CONTROLS_BUT_TABS = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}]+/gu;
const DIRECTIONS = new RegExp(`[${TURNS}]+`, "gu");
/** What JSON may hold as it is, and a terminal should not see. */
const UNSAFE_IN_JSON = new RegExp(`(?!\\n)[\\p{Cc}\\p{Zl}\\p{Zp}${TURNS}]`, "gu");

/** One line that cannot steer the terminal: text from a file could otherwise move the cursor, recolour it or forge lines. Tabs do no harm. */
export function safeLine(text: string): string {
  return text.replace(CONTROLS_BUT_TABS, " ").replace(DIRECTIONS, "");
}

/** The same without tabs and spaces around it: for text inside a line. */
export function printable(text: string): string {
  return text.replace(CONTROLS, " ").replace(DIRECTIONS, "").trim();
}

/** The same value in JSON that a terminal can show: such characters stand in strings only, where they can be escaped. */
export function safeJson(json: string): string {
  return json.replace(UNSAFE_IN_JSON, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
