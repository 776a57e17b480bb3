import { Option, type Command } from "commander";
import type { StoredCommit } from "../../store/store.ts";
import type { CommandContext } from "../command-context.ts";
import { commitJson, placeOf, shortHash } from "./find-commit.ts";
import { printCommits } from "./print-table.ts";
import { branchCommand, withThread, type OpenThread, type ThreadOptions } from "./with-thread.ts";
import { amount, counted } from "./numbers-and-times.ts";
import { wholeNumber } from "../number-argument.ts";
import type { Terminal } from "../terminal.ts";

interface LogOptions extends ThreadOptions {
  readonly limit: number;
  readonly all?: boolean;
  readonly before?: string;
  readonly kind?: "append" | "edit";
}

const DEFAULT_LIMIT = 30;

const DETAILS = `
Oldest first. ← is the result of a tool, ✗ one that failed, → a call. An edit shortens part of the conversation, and an undo reverts an edit.

Examples:
  $ palimpsest log
  $ palimpsest log --limit 100 --before 3f9a
  $ palimpsest log --kind edit --all --json

--json: { store, thread, branch, length, commits: [{ hash, parent, kind, role, name?, metadata, edits?, tokens, time, author, reason?, sequence }] }

Exit codes: 0 done, 2 the store or the thread could not be read.`;

/** `palimpsest log`: what happened in a thread. */
export function historyLogCommand(context: CommandContext): Command {
  return branchCommand(context, "log")
    .summary("list what happened in a thread: messages, and what was shortened")
    .description("Lists the last commits of a thread: messages, tool results, edits and undos.")
    .option("-n, --limit <n>", "list the last n commits", wholeNumber, DEFAULT_LIMIT)
    .option("--all", "list all commits")
    .option("--before <hash>", "list commits before this one")
    .addOption(new Option("--kind <kind>", "only messages and results, or only edits").choices(["append", "edit"]))
    .option("--json", "print them as JSON")
    .addHelpText("after", DETAILS)
    .action(async (options: LogOptions) => {
      await withThread(context, options, (thread) => printLog(context.terminal, thread, options));
    });
}

async function printLog(terminal: Terminal, thread: OpenThread, options: LogOptions): Promise<void> {
  const { store, ref, where } = thread;
  const length = (await store.head(ref))?.length ?? 0;
  const commits = await lastCommits(thread, options);
  if (options.json === true) {
    terminal.printJson({ ...where, length, commits: commits.map(commitJson) });
    return;
  }
  terminal.print(terminal.bold(ref.thread), `, branch ${ref.branch}: ${counted(length, "commit")}`);
  const [first] = commits;
  if (first === undefined) {
    terminal.print("None of them match.");
    return;
  }
  if (first.sequence > 0 && options.kind === undefined)
    terminal.print(terminal.dim(`… ${amount(first.sequence)} earlier: --all, or --before ${shortHash(first.hash)}`));
  await printCommits(terminal, store, commits);
}

async function lastCommits(thread: OpenThread, { limit, all, before, kind }: LogOptions): Promise<StoredCommit[]> {
  const { store, ref } = thread;
  const to = before === undefined ? undefined : await placeOf(thread, before);
  const found = await store.commits(ref, {
    newestFirst: true,
    ...(all === true ? {} : { limit }),
    ...(to === undefined ? {} : { to }),
    ...(kind === undefined ? {} : { kind }),
  });
  return found.toReversed();
}
