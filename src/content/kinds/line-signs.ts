import { CharacterSet } from "../text/character-set.ts";

/** Signs of single lines. A line may have several; the share of lines with a sign tells the kind of a text. */
export type Sign = "diff" | "hunk" | "test" | "hit" | "entry" | "log" | "code" | "prose" | "tag" | "data";

/** Tests for signs. One or two characters rule out most lines, much faster than a pattern. */
const SIGNS: Readonly<Record<Sign, (line: string) => boolean>> = {
  diff: (line) => DIFF_STARTS.has(line.charCodeAt(0)) && DIFF.test(line),
  hunk: (line) => line.charCodeAt(0) === 0x40 && HUNK.test(line),
  test: isTest,
  hit: (line) => mayBeHit(line) && HIT.test(line),
  entry: (line) => mayBeEntry(line) && ENTRY.test(line),
  log: (line) => mayBeLog(line) && LOG.test(line),
  code: isCode,
  prose: (line) => line.includes(" ") && PROSE.test(line),
  tag: (line) => TAG_STARTS.has(line.charCodeAt(firstInk(line))) && TAG.test(line),
  data: (line) => line.length >= SHORTEST_DATA && !line.includes(" ") && DATA.test(line),
};

/** Measures the share of lines with a sign, on demand. */
export class LineSigns {
  readonly #lines: readonly string[];

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  shareOf(sign: Sign): number {
    const bears = SIGNS[sign];
    let count = 0;
    for (const line of this.#lines) if (bears(line)) count++;
    return count / Math.max(1, this.#lines.length);
  }

  /** Says whether more than this share of the lines has the sign. Looks at no more lines than needed. */
  isAbove(share: number, sign: Sign): boolean {
    const bears = SIGNS[sign];
    const { length } = this.#lines;
    let count = 0;
    let left = length;
    for (const line of this.#lines) {
      if (bears(line)) count++;
      if (count / length > share) return true;
      if ((count + --left) / length <= share) return false;
    }
    return false;
  }
}

const DIFF = /^(?:diff --git |--- a?\/|\+\+\+ b?\/|\*\*\* (?:Begin Patch|Update File))/;
const DIFF_STARTS = new CharacterSet("d-+*");
const HUNK = /^@@ -\d/;

const TEST =
  /^\s*(?:--- (?:FAIL|PASS):|=== RUN|FAIL\s|ok\s+\S+\s|[✓✔✕✗✘] |● |not ok \d|ok \d|E {3,}|test .+ \.\.\. (?:ok|FAILED)|(?:Test Suites|Tests|Test Files):? |Ran \d+ tests?|collected \d+ items?|# (?:pass|fail) \d)|^=+ (?:test session starts|FAILURES|ERRORS|short test summary|.*(?:passed|failed).*) =+|^\s*\d+ (?:pass|fail|passing|failing)\b/;
const TEST_STARTS = new CharacterSet("-=FonEtTRc#0123456789");
const OUTCOME = /\b(?:PASSED|FAILED)\b/;
const PROGRESS = /\[ *\d+%\]$/;

function isTest(line: string): boolean {
  if (TEST_STARTS.has(line.charCodeAt(firstInk(line))) && TEST.test(line)) return true;
  return (line.includes("ED") && OUTCOME.test(line)) || (line.endsWith("%]") && PROGRESS.test(line));
}

const HIT = /^(?:[^\s:]*[/.][^\s:]*:\d+[:|]|\d+[:-](?!\d)|\s+Line \d+:|[^\s:]*\/[^\s:]+:\s*\S|[^\s:]*\/[^\s:]*-\d+-)/;

/** Says whether a line may be a search hit: a number, a path up to the first space or colon, or `Line 12:` below one. */
function mayBeHit(line: string): boolean {
  const first = line.charCodeAt(0);
  if (first === 0x20 || first === 0x09) return line.includes("Line ");
  if (first < 0x20 || first > 0x7f || (first >= 0x30 && first <= 0x39)) return true;
  let isPath = false;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === 0x20) return false;
    if (code === 0x3a) return isPath;
    if (code === 0x2f || code === 0x2e) isPath = true;
    else if (code === 0x2d && isPath) return true;
  }
  return false;
}

const ENTRY =
  /^(?:[-dlcbps][rwxsStT-]{9}[ @+.]|total \d+$|[\s│|]*(?:├|└|\|--)|(?:\.{0,2}\/)?(?:[\w@.+()[\]-]+\/)*[\w@.+()[\]-]*\.?[\w@+()[\]-]+\/?$|[ MADRCU?!]{2} \S+$|\/\S+$)/;
const MODE_STARTS = new CharacterSet("-dlcbpst");
const TREE_STARTS = new CharacterSet("|\t\v\f\r ");

/** Says whether a line may be a listing's entry: a path without spaces, or a line of `ls -l`, `tree` or `git status`. */
function mayBeEntry(line: string): boolean {
  const first = line.charCodeAt(0);
  return MODE_STARTS.has(first) || TREE_STARTS.has(first) || line.charCodeAt(2) === 0x20 || !line.includes(" ");
}

const LOG =
  /^\W*(?:\d{4}[-/]\d\d[-/]\d\d[T ]|\d\d:\d\d:\d\d|(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|NOTICE)\b|npm (?:warn|err)|\[\w[^\]]*\] )|^Traceback|^\s+at .+:\d+|^\s+File ".*", line \d+/i;
const LOG_STARTS = new CharacterSet("aiwedtfnAIWEDTFN0123456789");
const WORD = new CharacterSet("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", false);

function mayBeLog(line: string): boolean {
  let at = 0;
  while (at < line.length && !WORD.has(line.charCodeAt(at))) at++;
  return LOG_STARTS.has(line.charCodeAt(at)) || (at > 0 && line.charCodeAt(at - 1) === 0x5b);
}

const CODE =
  /^\s*(?:(?:import|from|export|const|let|var|function|def|class|return|if|for|func|package|type|public|private|#include|use|fn|async|await|elif|else:|try:|except|with|@\w+)\b.*[\w)({:;,"'`\]]$|\/\/|\/\*|\*\/|\* )|^\s{2,}\S.*[(,:=]$/;
const CODE_STARTS = new CharacterSet("ifeclvdrptuaw#@/*");
const CODE_ENDS = new CharacterSet("{};", false);
const OPEN_ENDS = new CharacterSet("(,:=", false);

function isCode(line: string): boolean {
  const last = line.charCodeAt(line.length - 1);
  if (CODE_ENDS.has(last) || line.includes("=>")) return true;
  const ink = firstInk(line);
  return (CODE_STARTS.has(line.charCodeAt(ink)) || (ink >= 2 && OPEN_ENDS.has(last))) && CODE.test(line);
}

const PROSE = /^(?:#{1,6} \S|\s*[-*] \S|\s*\d+\. \S|(?:[^\s{}();=<>|]+ ){5})/;
const TAG =
  /^\s*<(?:!doctype|\/?(?:html|head|body|div|span|p|a|ul|ol|li|table|tr|td|th|h[1-6]|meta|link|script|style|title|section|article|nav|header|footer|main|img|br|form|input|button)\b)/i;
const TAG_STARTS = new CharacterSet("<");
const DATA = /^[A-Za-z0-9+/]{60,}={0,2}$/;
const SHORTEST_DATA = 60;

/** Returns the position of the first character that is not ASCII white space. */
function firstInk(line: string): number {
  let at = 0;
  while (line.charCodeAt(at) <= 0x20) at++;
  return at;
}

/** Returns the share of lines whose number continues that of the previous line, as tools number the lines of a file. */
export function shareOfNumbered(lines: readonly string[]): number {
  let previous = NaN;
  let numbered = 0;
  for (const line of lines) {
    const number = NUMBERED.test(line) ? Number.parseInt(line, 10) : NaN;
    // Blank lines are numbered too, but the sample leaves them out.
    if (number > previous && number <= previous + 4) numbered++;
    previous = number;
  }
  return numbered / Math.max(1, lines.length - 1);
}

export function withoutNumber(line: string): string {
  return line.replace(NUMBERED, "");
}

/** The pattern of `behindLineNumber`. That function reads whole texts; calling it on slices too would make it slow for all. */
const NUMBERED = /^ *\d+(?:[→\t]|: ?)/;

/** Fewer rows are not a table. */
const FEWEST_ROWS = 3;
const SEPARATORS: readonly string[] = ["\t", "|", ",", ";"];

/** Returns the share of lines with as many columns as a neighbour. */
export function shareOfRows(lines: readonly string[]): number {
  if (lines.length < FEWEST_ROWS) return 0;
  const most = Math.max(...SEPARATORS.map((separator) => rowsBy(separator, lines)));
  return most / lines.length;
}

function rowsBy(separator: string, lines: readonly string[]): number {
  let rows = 0;
  let before = 0;
  let columns = columnsOf(lines[0] ?? "", separator);
  for (let row = 0; row < lines.length; row++) {
    const next = row + 1 < lines.length ? columnsOf(lines[row + 1] ?? "", separator) : 0;
    if (columns > 2 && (columns === before || columns === next)) rows++;
    before = columns;
    columns = next;
  }
  return rows;
}

/** White space at the ends of a line is not a separator. */
function columnsOf(line: string, separator: string): number {
  if (!line.includes(separator)) return 1;
  const body = line.trim();
  let columns = 1;
  for (let at = body.indexOf(separator); at >= 0; at = body.indexOf(separator, at + 1)) columns++;
  return columns;
}

/** Words of lines that report a failure. */
export const FAULT: RegExp = /error|fail|exception|panic|fatal|traceback|cannot|can't|denied|not found|no such|refused|timed out|unable to|invalid|undefined/i;
