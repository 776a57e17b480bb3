import { cut, formatTable, wrap, type Column } from "../table.ts";
import { printable } from "../safe-text.ts";
import type { Printed, Terminal } from "../terminal.ts";
import type { Demo, Excerpt, Shortening } from "./play-session.ts";
import type { Proof } from "./prove-view.ts";

/** Wider lines are hard to read, even on a wide screen. */
const WIDEST = 100;
const ROWS = 12;
const INDENT = "  ";

const COLUMNS: readonly Column[] = [
  { title: "at", align: "right" },
  { title: "call", give: "cut" },
  { title: "before", align: "right" },
  { title: "→" },
  { title: "after", align: "right" },
];

/** What to write in the reader's own program. A test runs these lines. */
const SAMPLE: readonly string[] = [
  'import { collapseToolChains, compactOldToolResults, inputTokensOf } from "palimpsest";',
  "",
  "const collapsed = collapseToolChains(messages, { collapseAfterTurns: 60 });",
  "const budget = { inputTokens: inputTokensOf(last.usage), inputTokenBudget: 40_000 };",
  "const view = compactOldToolResults(collapsed, budget).messages;",
  "const next = await client.messages.create({ ...request, messages: view });",
];

export function printDemo(demo: Demo, terminal: Terminal, all: boolean): void {
  const width = Math.min(terminal.columns, WIDEST) - INDENT.length;
  const section = (title: string, lines: readonly Printed[]): void => {
    terminal.print();
    terminal.print(terminal.bold(title));
    for (const line of lines) terminal.print(...(line === "" ? [] : [INDENT, line]));
  };
  terminal.print(terminal.bold("Palimpsest: a smaller view of an agent's history"));
  section("The session", [
    ...wrap(demo.description, width),
    ...wrap(`${count(demo.messages)} messages, ${count(demo.rounds)} rounds of tool calls, ${count(demo.tokensBefore)} tokens (estimated)`, width),
  ]);
  section("What was shortened and why, with tokens before and after", shorteningLines(demo.shortenings, all ? Infinity : ROWS, width, terminal));
  if (demo.excerpt !== null) section("One result, before and after", excerptLines(demo.excerpt, width, terminal));
  section("In all", [
    `${count(demo.tokensBefore)} → ${count(demo.tokensAfter)} tokens, ${percentLess(demo.tokensBefore, demo.tokensAfter)} % less, with ${count(demo.shortenings.length)} edits`,
    `${count(demo.messages)} → ${count(demo.messagesShown)} messages`,
  ]);
  section(
    "Checked just now",
    demo.proofs.flatMap((proof) => proofLines(proof, width, terminal)),
  );
  section(
    "In your own program, before every request",
    SAMPLE.map((line) => terminal.dim(line)),
  );
}

/** Grouped by pass and reason, which then need no column. */
function shorteningLines(shortenings: readonly Shortening[], maxRows: number, width: number, terminal: Terminal): Printed[] {
  const listed = new Set(shortenings.slice(0, maxRows));
  const groups = [...Map.groupBy(shortenings, ({ pass, reason }) => `${pass}: ${reason}`)].map(([title, group]) => ({
    heading: wrap(`${title} (${group.length === 1 ? "1 edit" : `${count(group.length)} edits`})`, width),
    members: group.filter((shortening) => listed.has(shortening)),
  }));
  // One table for all groups, so that their columns line up.
  const rows = groups.flatMap(({ members }) => members.map(rowOf));
  const [titles = "", ...table] = formatTable(COLUMNS, rows, width - INDENT.length).map((line) => INDENT + line);
  const lines = groups.flatMap(({ heading, members }) => [...heading, ...table.splice(0, members.length)]);
  const left = shortenings.length - listed.size;
  return [terminal.dim(titles), ...lines, ...(left === 0 ? [] : [terminal.dim(`… and ${count(left)} more (--all)`)])];
}

function proofLines({ claim, holds }: Proof, width: number, terminal: Terminal): Printed[] {
  const [answer, indent] = [holds ? "yes  " : "NO   ", "     "];
  const lines = wrap(claim, width - indent.length).map((line, index) => (index === 0 ? answer : indent) + line);
  return holds ? lines : lines.map(terminal.red);
}

function rowOf({ position, what, tokensBefore, tokensAfter }: Shortening): string[] {
  return [`${position}`, printable(what), count(tokensBefore), "→", count(tokensAfter)];
}

function excerptLines({ shortening, before, after }: Excerpt, width: number, terminal: Terminal): Printed[] {
  const quote = (lines: readonly string[]): Printed[] => lines.map((line) => terminal.dim(cut(`| ${printableCode(line)}`, width).trimEnd()));
  return [
    cut(`${printable(shortening.what)}, the result at position ${shortening.position}`, width),
    `before, ${count(shortening.tokensBefore)} tokens:`,
    ...quote(ends(before.split("\n"), 4, 0)),
    `after, ${count(shortening.tokensAfter)} tokens:`,
    ...quote(ends(after.split("\n"), 2, 4)),
  ];
}

/** The first and last lines, and how many there are between them. */
function ends(lines: readonly string[], first: number, last: number): readonly string[] {
  const between = lines.length - first - last;
  return between <= 1 ? lines : [...lines.slice(0, first), `… ${count(between)} more lines`, ...lines.slice(lines.length - last)];
}

/** Unlike `printable`, keeps the indentation. */
function printableCode(line: string): string {
  return `${/^ */.exec(line)?.[0] ?? ""}${printable(line)}`;
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}

function percentLess(before: number, after: number): string {
  return before === 0 ? "0" : (((before - after) / before) * 100).toFixed(0);
}
