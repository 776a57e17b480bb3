import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { storeOption, withStore, type StoreOptions } from "./with-store.ts";
import { printTable } from "./print-table.ts";
import { unfinishedJson, unfinishedWords, WAYS_ON } from "./unfinished-imports.ts";
import { amount, counted, moment } from "./numbers-and-times.ts";
import { wholeNumber } from "../number-argument.ts";
import { printable } from "../safe-text.ts";

interface ThreadsOptions extends StoreOptions {
  readonly limit: number;
  readonly after?: string;
}

const DEFAULT_LIMIT = 100;

const DETAILS = `
Examples:
  $ palimpsest threads
  $ palimpsest threads --store postgres://user@host/db --json

--json: { store, threads: [{ id, commits, time }], unfinished: [{ thread, commits, beganAt }] }
(unfinished: imports that are still running, or were interrupted)

Exit codes: 0 done, 2 the store could not be read.`;

/** `palimpsest threads`: what a store holds. */
export function historyThreadsCommand(context: CommandContext): Command {
  return new Command("threads")
    .summary("list the threads of a store")
    .description("Lists the threads of a store by id, with their number of commits and the time of the newest one.")
    .addOption(storeOption(context))
    .option("-n, --limit <n>", "list at most n threads", wholeNumber, DEFAULT_LIMIT)
    .option("--after <id>", "list threads after this id")
    .option("--json", "print them as JSON")
    .addHelpText("after", DETAILS)
    .action(async (options: ThreadsOptions) => {
      await withStore(context, options, async (store) => {
        const { limit, after } = options;
        const found = await store.threads({ limit: limit + 1, ...(after === undefined ? {} : { after }) });
        const threads = found.slice(0, limit);
        const unfinished = await store.unfinished();
        const { terminal } = context;
        if (options.json === true) {
          terminal.printJson({ store: store.name, threads, unfinished: unfinished.map(unfinishedJson) });
          return;
        }
        const more = found.length > limit;
        terminal.print(terminal.bold(store.name), `: ${more ? `the first ${counted(threads.length, "thread")}` : counted(threads.length, "thread")}`);
        for (const one of unfinished) terminal.print(terminal.red(`${unfinishedWords(one)} ${WAYS_ON}`));
        if (threads.length === 0) return;
        const rows = threads.map(({ id, commits, time }) => [printable(id), amount(commits), moment(time)]);
        printTable(terminal, [{ title: "thread" }, { title: "commits", align: "right" }, { title: "newest" }], rows);
        if (more) terminal.print(terminal.dim(`… more: --after ${JSON.stringify(threads.at(-1)?.id ?? "")}, or --limit`));
      });
    });
}
