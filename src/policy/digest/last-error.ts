import { beginningOf } from "../../messages/beginning-of.ts";
import { MARKS, quoteLines } from "../../text/quote.ts";
import type { Digestible } from "../digestible.ts";
import { callName } from "./call-lines.ts";
import type { DigestedCall } from "./digested-call.ts";

/** Shows this many lines from the start and from the end of an error. */
const FIRST_LINES = 4;
const LAST_LINES = 8;
const LINE_CHARS = 200;

/** Returns the text of the last error if it is in the stretch: otherwise a later message shows it. */
export function lastErrorLines(last: DigestedCall | undefined, { from, to }: Digestible): string[] {
  if (last?.answeredAt === undefined || last.answeredAt < from || last.answeredAt >= to) return [];
  const lines = last.result.trim().split("\n");
  const cut = lines.length - FIRST_LINES - LAST_LINES;
  const shown = cut <= 1 ? lines : [...lines.slice(0, FIRST_LINES), `[… ${cut} lines]`, ...lines.slice(-LAST_LINES)];
  const quoted = quoteLines(MARKS.tool, shown.map((line) => beginningOf(line, LINE_CHARS)).join("\n"));
  return [`Last error, not mended since: ${callName(last)}`, ...quoted.trimEnd().split("\n")];
}
