import { isHarnessLine, MOST_HARNESS_LINES } from "./harness-lines.ts";
import { endOfLine } from "../text/line-bounds.ts";

const BEGINNING_LENGTH = 2500;
const WINDOW_LENGTH = 1250;
/** The beginning of a longer line is enough to classify it. */
const LONGEST_SAMPLE = 160;

/** Returns lines from the beginning, middle and end of a text of any length, after the harness lines and without blank ones. */
export function sampleLines(text: string, start: number): readonly string[] {
  const lines: string[] = [];
  if (text.length - start <= BEGINNING_LENGTH + 2 * WINDOW_LENGTH) addLines(text, start, text.length, lines);
  else {
    const middle = Math.floor((start + text.length - WINDOW_LENGTH) / 2);
    addLines(text, start, start + BEGINNING_LENGTH, lines);
    addWholeLines(text, middle, middle + WINDOW_LENGTH, lines);
    addWholeLines(text, text.length - WINDOW_LENGTH, text.length, lines);
  }
  return lines;
}

function addLines(text: string, from: number, to: number, lines: string[]): void {
  for (let start = from; start < to;) {
    const feed = text.indexOf("\n", start);
    const end = feed < 0 || feed > to ? to : feed;
    const line = text.slice(start, end);
    const sample = line.slice(0, LONGEST_SAMPLE).trimEnd();
    if ((sample !== "" || line.trim() !== "") && !isHarnessLine(line)) lines.push(sample);
    start = end + 1;
  }
}

/** Adds only whole lines: a window may begin in the middle of a line, or be inside one. */
function addWholeLines(text: string, from: number, to: number, lines: string[]): void {
  addLines(text, endOfLine(text, from), to, lines);
}

/** Returns the position after the harness lines. */
export function afterHarnessLines(text: string): number {
  let start = 0;
  for (let count = 0; count < MOST_HARNESS_LINES && start < text.length; count++) {
    // The beginning of a line is enough to recognize it; a line may be as long as the text.
    const line = text.slice(start, start + LONGEST_SAMPLE);
    const end = line.indexOf("\n");
    const body = end < 0 ? line : line.slice(0, end);
    const content = /^<content>(?=.)/.exec(body);
    if (content !== null) return start + content[0].length;
    if (body.trim() !== "" && !isHarnessLine(body)) break;
    start = endOfLine(text, start);
  }
  return start;
}
