import { endOfBody, endOfLine } from "../text/line-bounds.ts";
import { TextWriter } from "../text/text-writer.ts";
import { estimateTokens } from "../../tokens/estimate-tokens.ts";

/** A longer run of blank lines becomes one. */
const MOST_BLANK_LINES = 2;
/** A shorter run of equal lines is not worth a note. */
const SHORTEST_RUN = 3;

/** Trims the ends of lines. Runs of equal lines become one that says how often; runs of blank lines become one. */
export function tidyLines(text: string, keepsLineBreaks: boolean): string {
  const writer = new TextWriter(text);
  for (let start = 0; start < text.length;) {
    const end = endOfLine(text, start);
    const body = endOfBody(text, start, end);
    if (isAsItShouldBe(text, start, body, end)) {
      start = end;
      continue;
    }
    const isBlank = isBlankLine(text, start, body);
    const [runEnd, count] = runOf(text, start, end, isBlank);
    if (isBlank && count > MOST_BLANK_LINES) writer.replace(start, runEnd, text.slice(body, end));
    else if (count >= SHORTEST_RUN && isWorthStating(text.slice(start, end), count)) {
      writer.remove(trimmedEnd(text, start, body, keepsLineBreaks), body);
      writer.replace(end, runEnd, `[… ${count - 1} more times]${text.slice(body, end)}`);
    } else {
      writer.remove(trimmedEnd(text, start, body, keepsLineBreaks), body);
      start = end;
      continue;
    }
    start = runEnd;
  }
  return writer.end();
}

/** A fast check that holds for most lines: no trailing white space, and the next line has another length. */
function isAsItShouldBe(text: string, start: number, body: number, end: number): boolean {
  return body > start && !isBlank(text.charCodeAt(body - 1)) && text.charCodeAt(end + end - start - 1) !== 0x0a;
}

function isBlankLine(text: string, start: number, body: number): boolean {
  for (let at = start; at < body; at++) if (!isBlank(text.charCodeAt(at))) return false;
  return true;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** Two spaces at the end of a line are a line break in Markdown. */
function trimmedEnd(text: string, start: number, body: number, keepsLineBreaks: boolean): number {
  let end = body;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return keepsLineBreaks && end > start && body - end === 2 && text.charCodeAt(end) === 0x20 && text.charCodeAt(end + 1) === 0x20 ? body : end;
}

/** Returns how far a line repeats, and how often. Only whole lines count, so the last must end in a line break too. */
function runOf(text: string, start: number, end: number, isBlank: boolean): [end: number, count: number] {
  let runEnd = end;
  let count = 1;
  if (text.charCodeAt(end - 1) !== 0x0a) return [runEnd, count];
  for (let next = repeatAt(text, start, end, runEnd, isBlank); next > 0; next = repeatAt(text, start, end, runEnd, isBlank)) {
    runEnd = next;
    count++;
  }
  return [runEnd, count];
}

/** Returns the end of the line at `at` if it equals the line from `start` to `end`, or if both are blank; otherwise 0. */
function repeatAt(text: string, start: number, end: number, at: number, isBlank: boolean): number {
  if (isBlank) {
    const next = endOfLine(text, at);
    return at < next && text.charCodeAt(next - 1) === 0x0a && isBlankLine(text, at, endOfBody(text, at, next)) ? next : 0;
  }
  const length = end - start;
  for (let offset = 0; offset < length; offset++) if (text.charCodeAt(start + offset) !== text.charCodeAt(at + offset)) return 0;
  return at + length;
}

function isWorthStating(line: string, count: number): boolean {
  return (count - 1) * estimateTokens(line) > estimateTokens(`[… ${count - 1} more times]\n`);
}
