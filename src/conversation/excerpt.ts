import { headOf } from "../messages/head-of.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import type { ParsedRecall } from "./tools/recall-tool.ts";
import { matchingLines } from "./matching-lines.ts";

/** Of several lines, one that is longer is shown around its match, or from its start. */
const LINE_CHARS = 2_000;
/** Fewer than most text has, so that what is cut to so many still fits. */
const CHARS_PER_TOKEN = 2;
const BEFORE_MATCH = 200;

interface ShownLine {
  readonly number: number;
  readonly text: string;
}

/** The text, or the lines of it that are asked for, as far as the tokens allow. What is left out is always said. */
export function excerpt(text: string, { lines: range, grep, maxTokens }: ParsedRecall): string {
  if (range === undefined && grep === undefined && estimateTokens(text) <= maxTokens) return text;
  const all = text.split("\n");
  if (range === undefined && grep === undefined) return wholeLines(all, maxTokens);
  const from = range?.from ?? 1;
  const to = Math.min(range?.to ?? all.length, all.length);
  const chosen = all.slice(from - 1, to);
  const where = range === undefined ? `${all.length} lines` : `lines ${from}-${to} of ${all.length}`;
  if (from > all.length) return `[there are only ${all.length} lines]`;
  if (grep === undefined)
    return numbered(
      `[${where}]`,
      chosen.map((line, index) => ({ number: from + index, text: shortened(line, 0) })),
      maxTokens,
    );
  const matches = matchingLines(chosen, grep);
  const heading = `[${matches.length === 0 ? "no line" : matches.length} of ${where} match ${JSON.stringify(grep)}]`;
  return numbered(
    heading,
    matches.map(({ line, at }) => ({ number: from + line, text: shortened(chosen[line] ?? "", at) })),
    maxTokens,
  );
}

function wholeLines(all: readonly string[], maxTokens: number): string {
  const { shown, complete } = fitting(
    all.map((text, index) => ({ number: index + 1, text: shortened(text, 0, Math.max(LINE_CHARS, maxTokens * CHARS_PER_TOKEN)) })),
    maxTokens,
  );
  const body = shown.map(({ text }) => text).join("\n");
  return complete ? body : `${body}\n[cut behind line ${shown.length} of ${all.length}: ask for lines "${shown.length + 1}-", or with grep]`;
}

function numbered(heading: string, lines: readonly ShownLine[], maxTokens: number): string {
  const { shown, complete } = fitting(lines, maxTokens);
  const body = [heading, ...shown.map(({ number, text }) => `${number}: ${text}`)];
  const next = lines[shown.length];
  if (!complete && next !== undefined) body.push(`[${lines.length - shown.length} more, from line ${next.number} on]`);
  return body.join("\n");
}

/** At least one line is shown, so that every call gets further. */
function fitting(lines: readonly ShownLine[], maxTokens: number): { shown: readonly ShownLine[]; complete: boolean } {
  let tokens = 0;
  let count = 0;
  for (const { text } of lines) {
    tokens += estimateTokens(text) + 1;
    if (tokens > maxTokens && count > 0) break;
    count++;
  }
  return { shown: lines.slice(0, count), complete: count === lines.length };
}

function shortened(line: string, at: number, maxChars = LINE_CHARS): string {
  if (line.length <= maxChars) return line;
  const start = Math.max(0, Math.min(at - BEFORE_MATCH, line.length - maxChars));
  const from = isLowSurrogate(line.charCodeAt(start)) ? start + 1 : start;
  const shown = headOf(line.slice(from), maxChars);
  return `${from > 0 ? "…" : ""}${shown}${from + shown.length < line.length ? "…" : ""} [characters ${from + 1}-${from + shown.length} of ${line.length}]`;
}

/** The second half of a character: a text that begins with it has half a character. */
function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
