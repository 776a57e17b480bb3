import { Command } from "commander";
import type { Store, UnfinishedImport } from "../../history/index.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { confirm, type ConfirmOptions } from "./confirm.ts";
import { storeOption, withStore, type StoreOptions } from "./with-store.ts";
import { refuseUnknown } from "./with-thread.ts";
import { unfinishedOf, unfinishedWords } from "./unfinished-imports.ts";
import { counted } from "./numbers-and-times.ts";
import { printable } from "../safe-text.ts";

interface ForgetOptions extends StoreOptions, ConfirmOptions {
  readonly json?: boolean;
}

const DETAILS = `
This cannot be undone; palimpsest export keeps a copy of a thread. Contents that other threads share are kept.

Examples:
  $ palimpsest forget fix-the-tests
  $ palimpsest forget fix-the-tests --yes --json

--json: { store, thread, branches, commits }

Exit codes: 0 done, 2 nothing was deleted.`;

/** `palimpsest forget <thread>`: deletes one thread. */
export function historyForgetCommand(context: CommandContext): Command {
  return new Command("forget")
    .summary("delete a thread")
    .description("Deletes a thread with all its branches. Prints what the thread holds and asks first.")
    .argument("<thread>", "the id of the thread")
    .addOption(storeOption(context))
    .option("--yes", "do not ask")
    .option("--json", "print what was deleted as JSON")
    .addHelpText("after", DETAILS)
    .action(async (thread: string, options: ForgetOptions) => {
      await withStore(context, options, async (store) => {
        const unfinished = await unfinishedOf(store, thread);
        if (unfinished.length > 0 && (await store.branches(thread)).length === 0) return forgetUnfinished(context, store, unfinished, options);
        await refuseUnknown(store, thread);
        const branches = await store.branches(thread);
        const commits = await commitsOf(store, thread);
        const { terminal } = context;
        const what = `Thread ${printable(thread)} of ${store.name}: ${counted(commits, "commit")} in ${counted(branches.length, "branch", "branches")}.`;
        if (options.json !== true) terminal.print(what);
        await confirm(context, "Delete it?", options);
        if (!(await store.forget(thread, commits)))
          throw new CliError("Nothing was deleted: the thread was written to or deleted in the meantime.", "Look at it again.");
        if (options.json === true) terminal.printJson({ store: store.name, thread, branches: branches.length, commits });
        else terminal.print("Deleted.");
      });
    });
}

/** Counts each commit once, even if several branches have it, as the store does. */
async function commitsOf(store: Store, thread: string): Promise<number> {
  const threads = await store.threads();
  return threads.find(({ id }) => id === thread)?.commits ?? 0;
}

/** Deletes what an interrupted import left behind. */
async function forgetUnfinished(context: CommandContext, store: Store, unfinished: readonly UnfinishedImport[], options: ForgetOptions): Promise<void> {
  const { terminal } = context;
  if (options.json !== true) for (const one of unfinished) terminal.print(unfinishedWords(one));
  await confirm(context, "Delete what it has written?", options);
  for (const { id } of unfinished) await store.forget(id);
  const commits = unfinished.reduce((sum, one) => sum + one.commits, 0);
  if (options.json === true) terminal.print(JSON.stringify({ store: store.name, thread: unfinished[0]?.thread, branches: 0, commits }, null, 2));
  else terminal.print("Deleted.");
}
