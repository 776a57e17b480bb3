/** What single lines look like. A line may bear several signs, and the share of lines with one tells a text's kind. */
export type Sign = "diff" | "hunk" | "test" | "hit" | "entry" | "log" | "code" | "prose" | "tag" | "data";

const SIGNS: Readonly<Record<Sign, RegExp>> = {
  diff: /^(?:diff --git |--- a?\/|\+\+\+ b?\/|\*\*\* (?:Begin Patch|Update File))/,
  hunk: /^@@ -\d/,
  test: /^\s*(?:--- (?:FAIL|PASS):|=== RUN|FAIL\s|ok\s+\S+\s|[✓✔✕✗✘] |● |not ok \d|ok \d|E {3,}|test .+ \.\.\. (?:ok|FAILED)|(?:Test Suites|Tests|Test Files):? |Ran \d+ tests?|collected \d+ items?|# (?:pass|fail) \d)|^=+ (?:test session starts|FAILURES|ERRORS|short test summary|.*(?:passed|failed).*) =+|\b(?:PASSED|FAILED)\b|^\s*\d+ (?:pass|fail|passing|failing)\b|\[ *\d+%\]$/,
  hit: /^(?:[^\s:]*[/.][^\s:]*:\d+[:|]|\d+[:-](?!\d)|\s+Line \d+:|[^\s:]*\/[^\s:]+:\s*\S|[^\s:]*\/[^\s:]*-\d+-)/,
  entry:
    /^(?:[-dlcbps][rwxsStT-]{9}[ @+.]|total \d+$|[\s│|]*(?:├|└|\|--)|(?:\.{0,2}\/)?(?:[\w@.+()[\]-]+\/)*[\w@.+()[\]-]*\.?[\w@+()[\]-]+\/?$|[ MADRCU?!]{2} \S+$|\/\S+$)/,
  log: /^\W*(?:\d{4}[-/]\d\d[-/]\d\d[T ]|\d\d:\d\d:\d\d|(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|NOTICE)\b|npm (?:warn|err)|\[\w[^\]]*\] )|^Traceback|^\s+at .+:\d+|^\s+File ".*", line \d+/i,
  code: /[{};]$|^\s*(?:import|from|export|const|let|var|function|def|class|return|if|for|func|package|type|public|private|#include|use|fn|async|await|elif|else:|try:|except|with|@\w+)\b.*[\w)({:;,"'`\]]$|=>|^\s*(?:\/\/|\/\*|\*\/|\* )|^\s{2,}\S.*[(,:=]$/,
  prose: /^(?:#{1,6} \S|\s*[-*] \S|\s*\d+\. \S|(?:[^\s{}();=<>|]+ ){5})/,
  tag: /^\s*<(?:!doctype|\/?(?:html|head|body|div|span|p|a|ul|ol|li|table|tr|td|th|h[1-6]|meta|link|script|style|title|section|article|nav|header|footer|main|img|br|form|input|button)\b)/i,
  data: /^[A-Za-z0-9+/]{60,}={0,2}$/,
};

/** The share of the lines that bear each sign. */
export function signsOf(lines: readonly string[]): Readonly<Record<Sign, number>> {
  const shares = Object.entries(SIGNS).map(([sign, pattern]) => [sign, lines.filter((line) => pattern.test(line)).length / Math.max(1, lines.length)]);
  return Object.fromEntries(shares) as Record<Sign, number>;
}

const NUMBER = /^ *(\d+)(?:→|\t|: ?)/;

/** The share of lines whose number is one more than that of the line before, as tools number the lines of a file. */
export function shareOfNumbered(lines: readonly string[]): number {
  let previous = NaN;
  let numbered = 0;
  for (const line of lines) {
    const number = Number(NUMBER.exec(line)?.[1] ?? NaN);
    // Blank lines are numbered too, but not in a sample.
    if (number > previous && number <= previous + 4) numbered++;
    previous = number;
  }
  return numbered / Math.max(1, lines.length - 1);
}

export function withoutNumber(line: string): string {
  return line.replace(NUMBER, "");
}

/** Fewer are no table. */
const FEWEST_ROWS = 3;
const SEPARATORS: readonly string[] = ["\t", "|", ",", ";"];

/** The share of lines with as many columns as one beside them. */
export function shareOfRows(lines: readonly string[]): number {
  let most = 0;
  for (const separator of SEPARATORS) {
    const columns = lines.map((line) => line.trim().split(separator).length);
    const rows = columns.filter((count, index) => count > 2 && (count === columns[index - 1] || count === columns[index + 1]));
    most = Math.max(most, rows.length);
  }
  return lines.length < FEWEST_ROWS ? 0 : most / lines.length;
}
