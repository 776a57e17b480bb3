import { resultHints } from "../content/calls/result-hints.ts";
import { kindOf, type ContentKind } from "../content/kinds/kind-of.ts";
import { partsOf } from "../content/parts/parts-of-text.ts";
import { tidy } from "../content/tidy/tidy.ts";
import { namedFiles } from "./named-files.ts";
import { ownWords } from "./own-words.ts";
import { streamIn, type LineRange } from "./stream-in.ts";
import type { Wishes } from "./wishes.ts";
import { heaviestText, weightsOf } from "./weighed-parts.ts";
import { LAST_WEIGHT, lastParts, weightsByWishes } from "./weights-by-wishes.ts";

const NO_CALL = resultHints({ tool: "", input: {} });
/** The weight of a line in the requested stream. */
const STREAM_WEIGHT = 2.5;
/** The most tokens that the text of a gap takes. */
const GAP_RESERVE = 16;

/** Returns the most telling whole lines of a tool's output, with their headings; every gap says what was cut. */
export function extractText(text: string, wishes: Wishes, maxTokens: number): string {
  if (wishes.files !== undefined) {
    const files = namedFiles(text, wishes.files === "lines");
    if (files !== "") return `${telling(files, "log", wishes, maxTokens - GAP_RESERVE)}${restOf(text)}`;
  }
  if (wishes.head !== undefined || wishes.tail !== undefined) return ends(text, wishes, maxTokens);
  const kind = kindOf(text, NO_CALL);
  return telling(tidy(text, kind), kind, wishes, maxTokens);
}

function telling(text: string, kind: ContentKind, wishes: Wishes, maxTokens: number): string {
  const parts = partsOf(text, kind, ownWords());
  const weights = weightsOf(parts);
  const asked = weightsByWishes(parts, wishes);
  const last = lastParts(parts);
  const stream = wishes.stream === undefined || parts.text !== text ? undefined : charsOf(text, streamIn(text, wishes.stream));
  for (const [part, start] of parts.starts.entries()) {
    const isInStream = stream !== undefined && start >= stream.from && start < stream.to;
    weights[part] = (weights[part] ?? 0) + (asked[part] ?? 0) + (last.has(part) ? LAST_WEIGHT : 0) + (isInStream ? STREAM_WEIGHT : 0);
  }
  return heaviestText(parts, weights, maxTokens);
}

/** Returns the character range of the lines. */
function charsOf(text: string, lines: LineRange | undefined): { readonly from: number; readonly to: number } | undefined {
  if (lines === undefined) return undefined;
  const starts = lineStarts(text);
  return { from: starts[lines.from - 1] ?? 0, to: starts[lines.to] ?? text.length };
}

/** Returns the note after a list of files that says what it was made from. */
function restOf(text: string): string {
  return `[… all but the files of ${lineStarts(text).length} lines cut]`;
}

/** Returns the first and last lines unchanged; if they are too many, the most telling of them. */
function ends(text: string, wishes: Wishes, maxTokens: number): string {
  const starts = lineStarts(text);
  const stream: LineRange | undefined = wishes.stream === undefined ? undefined : streamIn(text, wishes.stream);
  const from = (stream?.from ?? 1) - 1;
  const to = stream?.to ?? starts.length;
  const headEnd = Math.min(to, from + (wishes.head ?? 0));
  const tailStart = Math.max(headEnd, to - (wishes.tail ?? 0));
  const shown = [
    { from, to: headEnd },
    { from: tailStart, to },
  ].filter((range) => range.from < range.to);
  const lines = (range: { readonly from: number; readonly to: number }): string => text.slice(starts[range.from], starts[range.to]);
  const budget = Math.floor((maxTokens - GAP_RESERVE * (shown.length + 1)) / Math.max(1, shown.length));
  let result = "";
  let at = 0;
  for (const range of shown) {
    result += gap(range.from - at, result);
    result += telling(lines(range), "log", wishes, budget);
    at = range.to;
  }
  return result + gap(starts.length - at, result).trimEnd();
}

function gap(count: number, before: string): string {
  const lineBreak = before === "" || before.endsWith("\n") ? "" : "\n";
  return count === 0 ? "" : `${lineBreak}[… ${count} line${count === 1 ? "" : "s"} cut]\n`;
}

/** Returns the starts of the lines; a line break at the very end starts none. */
function lineStarts(text: string): number[] {
  const starts: number[] = [];
  for (let start = 0; start < text.length;) {
    starts.push(start);
    const at = text.indexOf("\n", start);
    start = at < 0 ? text.length : at + 1;
  }
  return starts;
}
