import { isHarnessLine, MOST_HEAD_LINES } from "./harness-head.ts";
import { endOfLine } from "./line-units.ts";

const HEAD_LENGTH = 2500;
const OTHER_LENGTH = 1250;
/** Of a longer line, the beginning says what it is. */
const LONGEST_SAMPLE = 160;

/** Some lines of a text, however long it is. */
export interface Sample {
  /** Where the text begins behind what the harness wrote. */
  readonly start: number;
  /** From its head, its middle and its tail, without blank ones. */
  readonly lines: readonly string[];
}

export function sampleLines(text: string): Sample {
  const start = behindHarnessHead(text);
  const windows = [text.slice(start, start + HEAD_LENGTH)];
  if (text.length - start > HEAD_LENGTH + 2 * OTHER_LENGTH) {
    const middle = Math.floor((start + text.length - OTHER_LENGTH) / 2);
    windows.push(wholeLines(text.slice(middle, middle + OTHER_LENGTH)), wholeLines(text.slice(-OTHER_LENGTH)));
  } else windows[0] = text.slice(start);
  const lines = windows.flatMap((window) => window.split("\n")).filter((line) => line.trim() !== "" && !isHarnessLine(line));
  return { start, lines: lines.map((line) => line.slice(0, LONGEST_SAMPLE).trimEnd()) };
}

function behindHarnessHead(text: string): number {
  let start = 0;
  for (let count = 0; count < MOST_HEAD_LINES && start < text.length; count++) {
    // The head of a line is enough to know it, and a line may be the whole text.
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

/** The first line of a window may be the end of one, and a window may lie inside of one. */
function wholeLines(window: string): string {
  const at = window.indexOf("\n");
  return at < 0 ? "" : window.slice(at + 1);
}
