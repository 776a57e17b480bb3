import { Command, InvalidArgumentError } from "commander";
import type { Store } from "../../history/index.ts";
import type { CommandContext } from "../command-context.ts";
import { confirm, type ConfirmOptions } from "./confirm.ts";
import { storeOption, withStore, type StoreOptions } from "./with-store.ts";
import { printTable } from "./print-table.ts";
import { amount, counted, moment } from "./numbers-and-times.ts";
import { printable } from "../safe-text.ts";

interface RetainOptions extends StoreOptions, ConfirmOptions {
  readonly json?: boolean;
  readonly olderThan: number;
}

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };
/** Enough of a list that is only there for a quick look. */
const ROWS = 20;

const DETAILS = `
A thread is as old as its newest commit, or as its newest note if that is newer: then it stays, although it is listed. This cannot be undone; palimpsest export keeps a copy of a thread.

Examples:
  $ palimpsest retain --older-than 30d
  $ palimpsest retain --older-than 2026-01-31 --yes --json

--json: { store, olderThan, deleted: [thread, …] } (olderThan: milliseconds since 1970)

Exit codes: 0 done, 2 nothing was deleted.`;

/** `palimpsest retain`: deletes old threads. */
export function historyRetainCommand(context: CommandContext): Command {
  return new Command("retain")
    .summary("delete threads older than a given age")
    .description("Deletes every thread whose newest commit is older than the given age. Lists them and asks first.")
    .addOption(storeOption(context))
    .requiredOption("--older-than <age>", "hours, days or weeks (12h, 30d, 8w), or a date (2026-01-31)", cutoff)
    .option("--yes", "do not ask")
    .option("--json", "print the ids of deleted threads as JSON")
    .addHelpText("after", DETAILS)
    .action(async (options: RetainOptions) => {
      await withStore(context, options, (store) => retain(context, store, options));
    });
}

async function retain(context: CommandContext, store: Store, options: RetainOptions): Promise<void> {
  const { olderThan, json } = options;
  const old = (await store.threads()).filter(({ time }) => time < olderThan);
  const { terminal } = context;
  if (old.length > 0 && json !== true) {
    terminal.print(`${counted(old.length, "thread")} of ${store.name} older than ${moment(olderThan)}:`);
    const rows = old.slice(0, ROWS).map(({ id, commits, time }) => [printable(id), amount(commits), moment(time)]);
    printTable(terminal, [{ title: "thread" }, { title: "commits", align: "right" }, { title: "newest" }], rows);
    if (old.length > ROWS) terminal.print(terminal.dim(`… and ${amount(old.length - ROWS)} more`));
  }
  if (old.length > 0) await confirm(context, `Delete ${counted(old.length, "thread")}?`, options);
  // Deletes only the threads that were listed: others may have been added meanwhile.
  const among = old.map(({ id }) => id);
  const deleted = await store.retain(olderThan, among);
  if (json === true) terminal.printJson({ store: store.name, olderThan, deleted });
  else
    terminal.print(deleted.length === 0 ? `No thread of ${store.name} is older than ${moment(olderThan)}.` : `${counted(deleted.length, "thread")} deleted.`);
}

/** Returns the time before which a thread is old. */
function cutoff(text: string): number {
  const [, count, unit = ""] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  if (count !== undefined) return Date.now() - Number(count) * (UNITS[unit] ?? 0);
  const date = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/.test(text)
    ? new Date(text.includes("T") ? text : `${text}T00:00:00`).getTime()
    : Number.NaN;
  if (Number.isNaN(date)) throw new InvalidArgumentError("It must be like 12h, 30d or 8w, or a date like 2026-01-31.");
  return date;
}
