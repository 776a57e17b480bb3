import { TextWriter } from "../text/text-writer.ts";

const PERCENT = /\d *%/;
const NOT_LETTERS = /\P{L}+/gu;
/** Longer texts are not a state of a progress bar. */
const LONGEST_STATE = 400;

/**
 * Keeps only the last state of a line that was overwritten repeatedly.
 *
 *     before: "fetch  10 %\rfetch  90 %\rfetch 100 %, done.\n"
 *     after:  "fetch 100 %, done.\n"
 *
 * States must differ only in numbers and bars: a carriage return may also separate two lines that both matter.
 */
export function settleProgress(text: string): string {
  if (!text.includes("\r")) return text;
  // In a text without line feeds, carriage returns may be line breaks of an old file.
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

/** Returns the position before the next line break, which may include a carriage return. */
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
