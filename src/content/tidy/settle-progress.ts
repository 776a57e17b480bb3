import { TextWriter } from "../text/text-writer.ts";

const PERCENT = /\d *%/;
const NOT_LETTERS = /\P{L}+/gu;
/** What is longer is no state of a progress bar. */
const LONGEST_STATE = 400;

/**
 * Of a line that was written over and over, the last state.
 *
 *     before: "fetch  10 %\rfetch  90 %\rfetch 100 %, done.\n"
 *     after:  "fetch 100 %, done.\n"
 *
 * Only what differs in nothing but numbers and bars counts as one line: a carriage return may also stand between two that
 * are both to be read.
 */
export function settleProgress(text: string): string {
  if (!text.includes("\r")) return text;
  // Without any line feed, carriage returns may be the line breaks of an old file.
  const hasLines = text.includes("\n");
  const writer = new TextWriter(text);
  for (let at = text.indexOf("\r"); at >= 0; at = text.indexOf("\r", at)) {
    const end = endOfBody(text, at);
    if (at < end) {
      const start = Math.max(writer.position, text.lastIndexOf("\n", at) + 1);
      writer.replace(start, end, settled(text.slice(start, end), hasLines));
    }
    at = end + 1;
  }
  return writer.end();
}

/** Before the line break after this position, which may have a carriage return of its own. */
function endOfBody(text: string, from: number): number {
  const feed = text.indexOf("\n", from);
  if (feed < 0) return text.length;
  return text.charCodeAt(feed - 1) === 0x0d ? feed - 1 : feed;
}

function settled(line: string, hasLines: boolean): string {
  const states = line.split("\r");
  const kept: string[] = [];
  for (const state of states.toReversed()) {
    const later = kept.at(-1);
    if (later === undefined || (state !== "" && !isSameLine(state, later, hasLines))) kept.push(state);
  }
  if (kept.length > 1 && kept[0] === "") kept.shift();
  return kept.toReversed().join("\r");
}

function isSameLine(state: string, later: string, hasLines: boolean): boolean {
  if (state.length > LONGEST_STATE || later.length > LONGEST_STATE) return false;
  if (PERCENT.test(state) && PERCENT.test(later)) return true;
  return hasLines && state.replaceAll(NOT_LETTERS, "") === later.replaceAll(NOT_LETTERS, "");
}
