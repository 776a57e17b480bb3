import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { COUNTING, formatOption } from "../source.ts";
import { readImport } from "./import/read-import.ts";
import type { ImportChoice, Imported } from "./import/imported.ts";
import { storeOption, withNewStore, type StoreOptions } from "./with-store.ts";
import { printTable } from "./print-table.ts";
import { amount, counted } from "./numbers-and-times.ts";
import { printable } from "../safe-text.ts";
import type { Terminal } from "../terminal.ts";

type ImportOptions = StoreOptions & ImportChoice;

const DETAILS = `
Each trajectory of a session file becomes a thread, named "file/trajectory" unless --thread names it. An existing thread is never
written to. Commits get the times of the messages, if the file has them, and retain goes by these times; calls whose model and time the file
has are recorded with the thread. An export keeps its thread id and its hashes, all of which are checked before anything is written.

A thread appears only when all of it is imported. Ctrl-C removes what was written. If the process is killed, threads and verify list
the thread as unfinished: --resume goes on with it (from the same file), --replace starts again.

Examples:
  $ palimpsest import ~/.claude/projects/x/session.jsonl
  $ palimpsest import runs.json --trajectory 17 --thread run-17 --store sqlite:runs.db
  $ palimpsest export | palimpsest import - --store postgres://user@host/db

--json: { store, file, format, threads: [{ thread, trajectory?, messages?, commits, tokens?, calls? }], damaged: [{ line, reason }] }
(format: the format of the session file, or palimpsest-history; an export has no trajectory, messages, tokens and calls)

${COUNTING} log and find estimate the tokens of a commit in tokens of o200k.

Exit codes: 0 done, 2 the file could not be read, or a thread already exists or is unfinished, 130 (Ctrl-C) or 143 (SIGTERM) interrupted: threads that were complete stay.`;

/** `palimpsest import <file>`: a session, or an export, into a store. */
export function historyImportCommand(context: CommandContext): Command {
  return new Command("import")
    .summary("put a session file or an export into a store; creates the store if needed")
    .description("Puts a session file, request body or message array, or what palimpsest export wrote, into a store.")
    .argument("<file>", "the file, gzipped or not; - for standard input")
    .addOption(storeOption(context))
    .option("--thread <id>", "the id of the thread, if the file holds one trajectory")
    .option("--trajectory <id>", "which one, if the file holds several (default: all)")
    .addOption(formatOption())
    .option("--resume", "go on with an interrupted import of this thread")
    .option("--replace", "delete what an interrupted import of this thread has written, and start again")
    .option("--json", "print what was imported as JSON")
    .addHelpText("after", DETAILS)
    .action(async (file: string, options: ImportOptions) => {
      // Read first: an unreadable file must not leave an empty store behind.
      const write = await readImport(context, file, options);
      const imported = await withNewStore(context, options, write);
      const { terminal } = context;
      if (options.json === true) terminal.printJson(imported);
      else printImported(terminal, imported);
    });
}

const COUNTS = ["messages", "commits", "tokens", "calls"] as const;

function printImported(terminal: Terminal, { store, threads, damaged }: Imported): void {
  for (const { line, reason } of damaged) terminal.print(terminal.red(`Line ${line} could not be read and was left out: ${printable(reason)}`));
  const commits = threads.reduce((sum, thread) => sum + thread.commits, 0);
  terminal.print(`${counted(threads.length, "thread")}, ${counted(commits, "commit")} imported into `, terminal.bold(store));
  // An export reports only its commits.
  const columns = COUNTS.filter((count) => threads.some((thread) => thread[count] !== undefined));
  const rows = threads.map((thread) => [printable(thread.thread), ...columns.map((count) => said(thread[count]))]);
  printTable(terminal, [{ title: "thread" }, ...columns.map((title) => ({ title, align: "right" as const }))], rows);
}

function said(value: number | undefined): string {
  return value === undefined ? "" : amount(value);
}
