import type { RecordList } from "../content/kinds/records-of.ts";
import { beginningOf } from "../messages/beginning-of.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import type { NumberRange, ParsedRecall } from "./tools/recall-tool.ts";
import { matchingLines } from "./matching-lines.ts";

/** Among several lines, a longer one is shown around its match, or from its start. */
const LINE_CHARS = 2_000;
/** Fewer than most text has, so that text cut to this many characters still fits. */
const CHARS_PER_TOKEN = 2;
const BEFORE_MATCH = 200;

/** A line or a record, with its number from 1. */
interface Item {
  readonly number: number;
  readonly text: string;
}

/** What the numbers count. */
interface Items {
  readonly noun: "lines" | RecordList["noun"];
  /** The field of the input that takes their numbers. */
  readonly field: "lines" | "records";
  readonly all: readonly string[];
  /** A heading, such as the names of columns. */
  readonly header?: string | undefined;
}

/**
 * Returns the text, or the requested lines or records of it, as far as the tokens allow. Always says what is left out, and how to ask for it.
 * `recordsIn`: the text that records are counted in, with its list of them.
 */
export function excerpt(text: string, asked: ParsedRecall, recordsIn: () => { readonly text: string; readonly list: RecordList | undefined }): string {
  const { lines, records, grep, maxTokens } = asked;
  if (lines === undefined && records === undefined && grep === undefined) {
    return estimateTokens(text) <= maxTokens ? text : wholeLines(text.split("\n"), maxTokens);
  }
  if (records === undefined) return excerptOf({ noun: "lines", field: "lines", all: text.split("\n") }, lines, grep, maxTokens);
  const { text: whole, list } = recordsIn();
  if (list === undefined) return `[this is no list of records: ask for some of its ${whole.split("\n").length} lines, or with grep]`;
  const all = list.spans.map(({ from, to }) => whole.slice(from, to));
  return excerptOf({ noun: list.noun, field: "records", all, header: list.header }, records, grep, maxTokens);
}

function excerptOf(items: Items, range: NumberRange | undefined, grep: string | undefined, maxTokens: number): string {
  const { noun, all } = items;
  const from = range?.from ?? 1;
  if (from > all.length) return `[there are only ${all.length} ${noun}]`;
  const to = Math.min(range?.to ?? all.length, all.length);
  const chosen = all.slice(from - 1, to);
  if (grep === undefined) {
    const maxChars = longestShown(maxTokens);
    return numbered(
      `${noun} ${from}-${to} of ${all.length}`,
      items,
      chosen.map((text, index) => ({ number: from + index, text: shortened(text, 0, maxChars) })),
      maxTokens,
    );
  }
  const matches = matchingLines(chosen, grep);
  const pattern = `match ${JSON.stringify(grep)}`;
  // The number of matches elsewhere tells the model whether to look there.
  const heading =
    range === undefined
      ? `${matches.length} of ${all.length} ${noun} ${pattern}`
      : `${matches.length} of ${noun} ${from}-${to} ${pattern}, ${matchingLines(all, grep).length} of all ${all.length}`;
  return numbered(
    heading,
    items,
    matches.map(({ line, at }) => ({ number: from + line, text: shortened(chosen[line] ?? "", at) })),
    maxTokens,
  );
}

function wholeLines(all: readonly string[], maxTokens: number): string {
  const { shown, complete } = fitting(
    all.map((text, index) => ({ number: index + 1, text: shortened(text, 0, longestShown(maxTokens)) })),
    maxTokens,
  );
  const body = shown.map(({ text }) => text).join("\n");
  return complete ? body : `${body}\n[cut after line ${shown.length} of ${all.length}: ask for lines "${shown.length + 1}-", or with grep]`;
}

/** If lines are requested, and not only matches in them, a single line may use up all tokens. */
function longestShown(maxTokens: number): number {
  return Math.max(LINE_CHARS, maxTokens * CHARS_PER_TOKEN);
}

function numbered(heading: string, { field, noun, header }: Items, items: readonly Item[], maxTokens: number): string {
  const { shown, complete } = fitting(items, maxTokens);
  const body = [`[${heading}${complete ? "" : `; shown: the first ${shown.length}`}]`];
  if (header !== undefined && shown[0]?.text !== header) body.push(header);
  body.push(...shown.map(({ number, text }) => `${number}: ${text}`));
  const next = items[shown.length];
  if (next !== undefined) body.push(`[${items.length - shown.length} more ${noun} left out: ask with ${field} "${next.number}-"]`);
  return body.join("\n");
}

/** At least one is shown, so that every call gets further. */
function fitting(items: readonly Item[], maxTokens: number): { shown: readonly Item[]; complete: boolean } {
  let tokens = 0;
  let count = 0;
  for (const { text } of items) {
    tokens += estimateTokens(text) + 1;
    if (tokens > maxTokens && count > 0) break;
    count++;
  }
  return { shown: items.slice(0, count), complete: count === items.length };
}

function shortened(line: string, at: number, maxChars = LINE_CHARS): string {
  if (line.length <= maxChars) return line;
  const start = Math.max(0, Math.min(at - BEFORE_MATCH, line.length - maxChars));
  const from = isLowSurrogate(line.charCodeAt(start)) ? start + 1 : start;
  const shown = beginningOf(line.slice(from), maxChars);
  return `${from > 0 ? "…" : ""}${shown}${from + shown.length < line.length ? "…" : ""} [characters ${from + 1}-${from + shown.length} of ${line.length}]`;
}

/** Returns whether this is the second half of a surrogate pair: no text may begin with it. */
function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
