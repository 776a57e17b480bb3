import { endOfLine } from "../text/line-bounds.ts";
import { TextWriter } from "../text/text-writer.ts";

/**
 * Removes the spaces before the line numbers that a tool adds to a file.
 *
 *     before: "     9→a\n    10→  b\n"
 *     after:  "9→a\n10→  b\n"
 *
 * Only for consecutive numbers: elsewhere the spaces may be part of the text.
 */
export function tidyLineNumbers(text: string): string {
  const writer = new TextWriter(text);
  let isRun = false;
  let number = numberAt(text, 0);
  for (let start = 0; start < text.length;) {
    const end = endOfLine(text, start);
    const next = numberAt(text, end);
    const goesOn = next === number + 1;
    if (isRun || goesOn) writer.remove(start, behindSpaces(text, start));
    isRun = goesOn;
    number = next;
    start = end;
  }
  return writer.end();
}

/** Longer numbers are not line numbers. */
const MOST_DIGITS = 9;

/** Returns the line number, after spaces and before `→` or a tab; `NaN` if there is none. */
function numberAt(text: string, start: number): number {
  const first = behindSpaces(text, start);
  let number = 0;
  for (let at = first; at <= first + MOST_DIGITS; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) number = number * 10 + code - 0x30;
    else return at > first && (code === 0x2192 || code === 0x09) ? number : NaN;
  }
  return NaN;
}

function behindSpaces(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === 0x20) at++;
  return at;
}
