import type { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { shortHash } from "./find-commit.ts";
import { printTable } from "./print-table.ts";
import { threadCommand, withThread, type ThreadOptions } from "./with-thread.ts";
import { amount, counted } from "./numbers-and-times.ts";
import { printable } from "../safe-text.ts";

const DETAILS = `
Examples:
  $ palimpsest branches --thread fix-the-tests

--json: { store, thread, branches: [{ name, hash, length, from?: { branch, length } }] }

Exit codes: 0 done, 2 the store or the thread could not be read.`;

/** `palimpsest branches`: the branches of a thread and where each begins. */
export function historyBranchesCommand(context: CommandContext): Command {
  return threadCommand(context, "branches")
    .summary("list the branches of a thread")
    .description("Lists the branches of a thread, the oldest first: how many commits each has, its last one, and where it left another branch.")
    .option("--json", "print them as JSON")
    .addHelpText("after", DETAILS)
    .action(async (options: ThreadOptions) => {
      await withThread(context, options, async ({ store, ref: { thread } }) => {
        const branches = await store.branches(thread);
        const { terminal } = context;
        if (options.json === true) {
          terminal.printJson({ store: store.name, thread, branches });
          return;
        }
        const rows = branches.map(({ name, hash, length, from }) => [
          printable(name),
          amount(length),
          shortHash(hash ?? ""),
          from === undefined ? "" : `${printable(from.branch)}, after ${counted(from.length, "commit")}`,
        ]);
        printTable(terminal, [{ title: "branch" }, { title: "commits", align: "right" }, { title: "last" }, { title: "left" }], rows);
      });
    });
}
