import { beginningOf } from "../messages/beginning-of.ts";

/** The separators of ASCII, at which some languages divide lines too. */
const SEPARATORS = "\u001c-\u001e";
/** Everything that some readers treat as the end of a line. */
export const LINE_BREAK: RegExp = new RegExp(`\\r\\n|[\\n\\v\\f\\r${SEPARATORS}\\u0085\\u2028\\u2029]`);
/** Whitespace that is not already a single space. */
const BLANKS = /(?: (?=[\s\u0085])|[^\S ]|\u0085)[\s\u0085]*/g;

/** The mark that a line begins with, by who wrote it. */
export const MARKS = { user: ">", assistant: "=", system: "#", tool: "|" } as const;

/** Marks every line with its author, so that nothing in the text can pass for someone else's line. */
export function quoteLines(mark: string, text: string): string {
  return text
    .split(LINE_BREAK)
    .map((line) => (line === "" ? `${mark}\n` : `${mark} ${line}\n`))
    .join("");
}

/** Runs of whitespace shrink, so a little more text than is shown has to be read. */
const FEW_BLANKS = 1.25;
const MANY_BLANKS = 4;

/** Returns the head of a text in quotes, in one line. */
export function quoteHead(text: string, maxChars: number): string {
  const chars = Math.ceil(maxChars * FEW_BLANKS);
  let line = lineOf(text, chars);
  if (line.length <= maxChars && chars < text.length) line = lineOf(text, maxChars * MANY_BLANKS);
  return JSON.stringify(line.length > maxChars ? `${beginningOf(line, maxChars)}…` : line);
}

function lineOf(text: string, chars: number): string {
  return beginningOf(text, chars).replaceAll(BLANKS, " ").trim();
}

const NAME_CHARS = 300;

/** Returns a name, in quotes if it could be read as something else. */
export function quoteName(name: string): string {
  return /^[\w.:/@+~-]{1,200}$/.test(name) ? name : quoteHead(name, NAME_CHARS);
}
