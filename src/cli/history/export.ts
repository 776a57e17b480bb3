import type { Command } from "commander";
import type { Fault, Salvaged } from "../../history/index.ts";
import type { CommandContext } from "../command-context.ts";
import { shortHash } from "./find-commit.ts";
import { fileOfStore } from "./with-store.ts";
import { threadCommand, withThread, type ThreadOptions } from "./with-thread.ts";
import { amount, counted } from "./numbers-and-times.ts";
import { forceOption, openOutput, READ, type OutputFile } from "../write-atomically.ts";

interface ExportOptions extends ThreadOptions {
  readonly output?: string;
  readonly force?: boolean;
  readonly salvage?: boolean;
}

const DETAILS = `
Writes JSON lines: { format, version, thread }, then for each branch { branch, from? }, its commits as { commit, content },
and the recorded calls of the model as { step, value }. The hashes are those of the store, and import checks all of them.
A damaged thread is not exported. --salvage writes what can be saved of it: notes replace lost contents, damaged edits are left out,
and commits after the first damage get new hashes. What is missing is listed on standard error.

Examples:
  $ palimpsest export --thread fix-the-tests -o thread.jsonl.gz
  $ palimpsest export | palimpsest import - --store postgres://user@host/db
  $ palimpsest export --salvage -o saved.jsonl && palimpsest import saved.jsonl --store sqlite:new.db

--json (the report; on standard error without -o): { store, thread, branches, commits, output, missing?: [{ branch, sequence, hash, fault }] }

Exit codes: 0 done, 1 done with --salvage and something is missing, 2 the thread is damaged or could not be read, or the file not written.`;

/** `palimpsest export`: a thread as one file. */
export function historyExportCommand(context: CommandContext): Command {
  return threadCommand(context, "export")
    .summary("write a thread with all its branches as JSON lines")
    .description("Writes a thread with all branches, commits and edits, to import elsewhere or to keep as a backup.")
    .option("-o, --output <file>", "where to write it; gzipped if the name ends in .gz (default: standard output)")
    .addOption(forceOption())
    .option("--salvage", "write what can be saved of a damaged thread, and list what is missing")
    .option("--json", "print what was written as JSON")
    .addHelpText("after", DETAILS)
    .action(async (options: ExportOptions) => {
      const file = await outputOf(context, options);
      await withThread(context, options, async ({ store, history, ref: { thread } }) => {
        const { output } = options;
        const { jsonl, commits, missing } = options.salvage === true ? await history.salvage() : wholeExport(await history.export());
        if (file === undefined) context.terminal.writeContent(jsonl);
        else await file.write(jsonl);
        const branches = (await store.branches(thread)).length;
        // The report must not mix with the result on standard output.
        const terminal = output === undefined ? context.errorTerminal : context.terminal;
        if (options.json === true)
          terminal.printJson({ store: store.name, thread, branches, commits, output: output ?? "-", ...(options.salvage === true ? { missing } : {}) });
        else if (output !== undefined) terminal.print(`${counted(commits, "commit")} of ${counted(branches, "branch", "branches")} written to ${output}.`);
        if (missing.length === 0) return;
        if (options.json !== true) for (const fault of missing) context.errorTerminal.print(missingLine(fault));
        context.exitWith(1);
      });
    });
}

async function outputOf(context: CommandContext, { output, force = false, store }: ExportOptions): Promise<OutputFile | undefined> {
  if (output === undefined) return undefined;
  const path = fileOfStore(store);
  return openOutput(context, output, { option: "-o", force, kept: path === undefined ? [] : [{ path, because: READ }] });
}

function wholeExport(jsonl: string): Salvaged {
  return { jsonl, commits: jsonl.match(/^\{"commit":/gm)?.length ?? 0, missing: [] };
}

function missingLine({ branch, sequence, hash, fault }: Fault): string {
  const where = hash === "" ? `place ${amount(sequence)}` : `place ${amount(sequence)}, ${shortHash(hash)}`;
  return `${branch}, ${where}: ${fault}`;
}
