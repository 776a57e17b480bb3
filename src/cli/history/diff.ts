import type { Command } from "commander";
import type { Commit, HistoryDiff, Hunk } from "../../history/index.ts";
import type { Message } from "../../messages/message.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { findCommit, shortHash } from "./find-commit.ts";
import { contentLines } from "./print-messages.ts";
import { listed, printCommits } from "./print-table.ts";
import { branchCommand, withThread, type OpenThread, type ThreadOptions } from "./with-thread.ts";
import { amount, counted } from "./numbers-and-times.ts";
import { cut } from "../table.ts";
import type { Printed, Terminal } from "../terminal.ts";

interface DiffOptions extends ThreadOptions {
  readonly full?: boolean;
}

/** Shown of a message that is in only one view, unless `--full` is given. */
const LINES = 12;

const DETAILS = `
Compares what a model would have been sent when one commit was the last with what it would have been sent when the other was.
The commits may be on different branches.

Examples:
  $ palimpsest diff 3f9a                      what has changed since then
  $ palimpsest diff 3f9a 77c0 --full

--json: { store, thread, branch, a, b, base, removed, added, hunks: [{ removed, added }], tokensBefore, tokensAfter }
(a and b: hashes; base: the last commit that both have, or null; removed and added: commits, and in hunks messages of the views)

Exit codes: 0 done, 2 there is no such commit, or the store could not be read.`;

/** `palimpsest diff <a> [b]`: the commits between two states, and what they did to the view. */
export function historyDiffCommand(context: CommandContext): Command {
  return branchCommand(context, "diff")
    .summary("compare the views at two commits")
    .description("Lists the commits between two states of a thread, and what they changed in the view.")
    .argument("<a>", "the hash of a commit, or its beginning")
    .argument("[b]", "the hash of another commit, or its beginning (default: the last commit of the branch)")
    .option("--full", "print all lines of every message")
    .option("--json", "print the difference as JSON")
    .addHelpText("after", DETAILS)
    .action(async (a: string, b: string | undefined, options: DiffOptions) => {
      await withThread(context, options, (thread) => printDifference(context.terminal, thread, a, b, options));
    });
}

async function printDifference(terminal: Terminal, thread: OpenThread, a: string, b: string | undefined, { json, full }: DiffOptions): Promise<void> {
  const [first, second] = [(await findCommit(thread, a)).hash, b === undefined ? await lastOf(thread) : (await findCommit(thread, b)).hash];
  const diff = await thread.history.diff(first, second);
  if (json === true) {
    terminal.printJson({ ...thread.where, a: first, b: second, ...diff });
    return;
  }
  terminal.print(terminal.bold(`${shortHash(first)} → ${shortHash(second)}`), `: ${sizes(diff)}`);
  await printSide(terminal, thread, "Only in the first", diff.removed);
  await printSide(terminal, thread, "Only in the second", diff.added);
  diff.hunks.forEach((hunk, number) => {
    printHunk(terminal, hunk, number + 1, full === true ? Number.POSITIVE_INFINITY : LINES);
  });
}

async function lastOf({ store, ref }: OpenThread): Promise<string> {
  const hash = (await store.head(ref))?.hash;
  if (hash === undefined || hash === null) throw new CliError(`Branch ${JSON.stringify(ref.branch)} has no commits.`, "Give two hashes.");
  return hash;
}

function sizes({ hunks, tokensBefore, tokensAfter }: HistoryDiff): string {
  if (hunks.length === 0) return `the views are the same, ${counted(tokensAfter, "token")}`;
  return `the view goes from ${amount(tokensBefore)} to ${counted(tokensAfter, "token")}, in ${counted(hunks.length, "place")}`;
}

async function printSide(terminal: Terminal, { store, ref }: OpenThread, title: string, commits: readonly Commit[]): Promise<void> {
  if (commits.length === 0) return;
  terminal.print();
  terminal.print(terminal.bold(`${title}: ${counted(commits.length, "commit")}`));
  await printCommits(terminal, store, await listed(store, ref.thread, commits));
}

function printHunk(terminal: Terminal, { removed, added }: Hunk, number: number, most: number): void {
  terminal.print();
  terminal.print(terminal.bold(`Place ${number}`));
  for (const message of removed) printSigned(terminal, "-", message, most);
  for (const message of added) printSigned(terminal, "+", message, most);
}

function printSigned(terminal: Terminal, sign: "-" | "+", { role, content }: Message, most: number): void {
  const lines = contentLines(content);
  const paint = sign === "-" ? terminal.red : (text: string): Printed => text;
  terminal.print(paint(`${sign} ${role}`));
  for (const line of lines.slice(0, most)) terminal.print(paint(cut(`${sign}   ${line}`, terminal.columns)));
  if (lines.length > most) terminal.print(terminal.dim(`${sign}   … ${counted(lines.length - most, "more line")} (--full)`));
}
