import { Command } from "commander";
import { confirm, type ConfirmOptions } from "./history-confirm.ts";
import { storeOption, withStore, type StoreOptions } from "./history-store.ts";
import { refuseUnknown } from "./history-thread.ts";
import { counted } from "./history-words.ts";
import { openTerminal, printable } from "./terminal.ts";

interface ForgetOptions extends StoreOptions, ConfirmOptions {
  readonly json?: boolean;
}

const DETAILS = `
What is deleted is gone; palimpsest export keeps a thread elsewhere. Contents that other threads have too stay for them.

Examples:
  $ palimpsest forget fix-the-tests
  $ palimpsest forget fix-the-tests --yes --json

--json: { store, thread, branches, commits }

Exit codes: 0 done, 2 nothing was deleted.`;

/** `palimpsest forget <thread>`: deletes one thread. */
export function historyForgetCommand(): Command {
  return new Command("forget")
    .summary("delete a thread")
    .description("Deletes a thread with all its branches. Says what it holds, and asks before.")
    .argument("<thread>", "the id of the thread")
    .addOption(storeOption())
    .option("--yes", "do not ask")
    .option("--json", "print what was deleted as JSON")
    .addHelpText("after", DETAILS)
    .action(async (thread: string, options: ForgetOptions) => {
      await withStore(options, async (store) => {
        await refuseUnknown(store, thread);
        const branches = await store.branches(thread);
        const commits = branches.reduce((sum, { length, from }) => sum + length - (from?.length ?? 0), 0);
        const terminal = openTerminal();
        const what = `Thread ${printable(thread)} of ${store.name}: ${counted(commits, "commit")} in ${counted(branches.length, "branch", "branches")}.`;
        if (options.json !== true) terminal.print(what);
        await confirm("Delete it?", options);
        await store.forget(thread);
        if (options.json === true) terminal.print(JSON.stringify({ store: store.name, thread, branches: branches.length, commits }, null, 2));
        else terminal.print("Deleted.");
      });
    });
}
