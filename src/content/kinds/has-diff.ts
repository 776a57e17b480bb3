import type { ResultHints } from "../calls/result-hints.ts";
import { stripEscapes } from "../tidy/strip-escapes.ts";

/** The start of a line, including a line number that a tool may add. */
const LINE_START = /(?:^|\n)(?: *\d+(?:[→\t]|: ?))?$/;
/** The same in the output of `git log --graph`. */
const DRAWN_START = /(?:^|\n)[|*\\/ ]*$/;
const LONGEST_START = 24;

/** `@@ -1,2 +3,4 @@` of a unified diff, or `@@@ … @@@` of a merge, and a line of it below. */
const HUNK = /^@@+ (?:-\d+(?:,\d+)? )+\+\d+(?:,\d+)? @@+[^\n]*\n(?: *\d+(?:[→\t]|: ?)|[|*\\/ ]*)?[-+ \\\r\n]/;
/** `***************`, `*** 1,4 ****`: a context diff. */
const CONTEXT = /^\*{15}[^\n]*\n(?: *\d+(?:[→\t]|: ?))?\*\*\* \d+(?:,\d+)? \*\*\*\*/;
/** `2,3c2`: the line above `< old` and `> new` in a plain diff. */
const COMMAND = /(?:^|\n)(?: *\d+(?:[→\t]|: ?))?\d+(?:,\d+)?[acd]\d+(?:,\d+)?\r?\n(?: *\d+(?:[→\t]|: ?))?$/;
const LONGEST_COMMAND = 64;
/** A patch as agents write it. */
const PATCH = /^\*\*\* Begin Patch\r?\n\*\*\* (?:Add|Update|Delete) File: /;
const LONGEST_SIGN = 1000;

const DIFF_EXTENSIONS: ReadonlySet<string> = new Set(["diff", "patch"]);
/** If the command prints a diff, the text counts as one when at least this share of its lines is added, removed or context. */
const LEAST_SHARE = 0.9;

/**
 * Says whether any stretch of the text is a diff. Searches the whole text in linear time, because a diff may follow a long message, a status
 * or anything else. `hints` is called only if the text alone does not tell.
 */
export function hasDiff(text: string, hints: () => ResultHints): boolean {
  const plain = stripEscapes(text);
  if (hasSign(plain, "@@ -", HUNK, LINE_START) || hasSign(plain, "@@@ -", HUNK, LINE_START)) return true;
  if (hasSign(plain, "***************", CONTEXT, LINE_START) || hasSign(plain, "*** Begin Patch", PATCH, LINE_START)) return true;
  if (hasPlainDiff(plain, "< ") || hasPlainDiff(plain, "> ")) return true;
  // Without such lines it is not a diff, whatever the command.
  if (!/^[-+]/m.test(plain) && !plain.includes("@@ -") && !/^\*\*\* /m.test(plain)) return DIFF_EXTENSIONS.has(hints().extension) && plain.trim() !== "";
  const { isDiff, extension } = hints();
  if (DIFF_EXTENSIONS.has(extension)) return true;
  return isDiff && (hasSign(plain, "@@ -", HUNK, DRAWN_START) || isOfDiffLines(plain));
}

function hasSign(text: string, sign: string, form: RegExp, start: RegExp): boolean {
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + sign.length))
    if (start.test(text.slice(Math.max(0, at - LONGEST_START), at)) && form.test(text.slice(at, at + LONGEST_SIGN))) return true;
  return false;
}

/** `mark`: the first character of an old or a new line. */
function hasPlainDiff(text: string, mark: string): boolean {
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) {
    const code = text.charCodeAt(at - 1);
    if ((code === 0x0a || code === 0x09 || code === 0x2192 || code === 0x20) && COMMAND.test(text.slice(Math.max(0, at - LONGEST_COMMAND), at))) return true;
  }
  return false;
}

/** Says whether the text is a diff without its beginning. */
function isOfDiffLines(text: string): boolean {
  let lines = 0;
  let ofDiff = 0;
  for (let start = 0; start < text.length;) {
    const feed = text.indexOf("\n", start);
    const end = feed < 0 ? text.length : feed;
    const code = text.charCodeAt(start);
    lines++;
    if (end === start || code === 0x2b || code === 0x2d || code === 0x20) ofDiff++;
    start = end + 1;
  }
  return ofDiff >= lines * LEAST_SHARE;
}
