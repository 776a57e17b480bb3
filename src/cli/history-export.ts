import type { Command } from "commander";
import { threadCommand, withThread, type ThreadOptions } from "./history-thread.ts";
import { counted } from "./history-words.ts";
import { openTerminal } from "./terminal.ts";
import { writeAtomically } from "./write-atomically.ts";

interface ExportOptions extends ThreadOptions {
  readonly output?: string;
}

const DETAILS = `
What is written is JSON lines: { format, version, thread }, then for each branch { branch, from? }, its commits as { commit, content },
and the calls of the model that were recorded as { step, value }. The hashes are those of the store, and import checks all of them.

Examples:
  $ palimpsest export --thread fix-the-tests -o thread.jsonl.gz
  $ palimpsest export | palimpsest import - --store postgres://user@host/db

--json (what is said beside it; on standard error without -o): { store, thread, branches, commits, output }

Exit codes: 0 done, 2 the thread could not be read or the file not written.`;

/** `palimpsest export`: a thread as one file. */
export function historyExportCommand(): Command {
  return threadCommand("export")
    .summary("write a thread with all its branches as JSON lines")
    .description("Writes a thread with all branches, commits and edits: for another store, or to keep.")
    .option("-o, --output <file>", "where to write it; gzipped if the name ends in .gz; standard output unless given")
    .option("--json", "say what was written as JSON")
    .addHelpText("after", DETAILS)
    .action(async (options: ExportOptions) => {
      await withThread(options, async ({ store, history, ref: { thread } }) => {
        const { output } = options;
        const lines = await history.export();
        if (output === undefined) process.stdout.write(lines);
        else await writeAtomically(output, lines);
        const branches = (await store.branches(thread)).length;
        const commits = lines.match(/^\{"commit":/gm)?.length ?? 0;
        // What was asked for is on standard output; what is said about it must not mix with it.
        const terminal = openTerminal(output === undefined ? process.stderr : process.stdout);
        if (options.json === true) terminal.print(JSON.stringify({ store: store.name, thread, branches, commits, output: output ?? "-" }, null, 2));
        else if (output !== undefined) terminal.print(`${counted(commits, "commit")} of ${counted(branches, "branch", "branches")} written to ${output}.`);
      });
    });
}
