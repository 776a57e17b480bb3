import { Command } from "commander";
import { openHistory, type History, type Store } from "../../history/index.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { storeOption, withStore, type StoreOptions } from "./with-store.ts";
import { unfinishedOf, unfinishedWords, WAYS_ON } from "./unfinished-imports.ts";

/** How many ids an error lists. */
const LISTED = 8;
const MAIN = "main";

export interface ThreadOptions extends StoreOptions {
  readonly thread?: string;
  readonly branch?: string;
}

/** The thread that a command works on. */
export interface OpenThread {
  readonly store: Store;
  readonly history: History;
  readonly ref: { readonly thread: string; readonly branch: string };
  /** Every `--json` output begins with this. */
  readonly where: { readonly store: string; readonly thread: string; readonly branch: string };
}

export function threadCommand(context: CommandContext, name: string): Command {
  return new Command(name).addOption(storeOption(context)).option("--thread <id>", "which thread; not needed if the store has only one");
}

export function branchCommand(context: CommandContext, name: string): Command {
  return threadCommand(context, name).option("--branch <name>", `which branch (default: "${MAIN}")`);
}

export async function withThread<T>(context: CommandContext, options: ThreadOptions, use: (thread: OpenThread) => Promise<T>): Promise<T> {
  return withStore(context, options, async (store) => {
    const thread = options.thread ?? (await onlyThread(store));
    const branch = await chooseBranch(store, thread, options.branch);
    const history = await openHistory({ store, thread });
    await history.switch(branch);
    return use({ store, history, ref: { thread, branch }, where: { store: store.name, thread, branch } });
  });
}

/** Refuses an id that no thread of the store has. */
export async function refuseUnknown(store: Store, thread: string): Promise<void> {
  if ((await store.branches(thread)).length > 0) return;
  const [unfinished] = await unfinishedOf(store, thread);
  if (unfinished !== undefined) throw new CliError(unfinishedWords(unfinished), WAYS_ON);
  throw new CliError(`There is no thread ${JSON.stringify(thread)} in ${store.name}.`, await listed(store));
}

async function onlyThread(store: Store): Promise<string> {
  const [first, second] = await store.threads({ limit: 2 });
  if (first !== undefined && second === undefined) return first.id;
  throw new CliError(
    first === undefined ? `${store.name} has no threads.` : `${store.name} has several threads.`,
    first === undefined ? "palimpsest import <transcript> adds some." : await listed(store),
  );
}

async function listed(store: Store): Promise<string> {
  const threads = await store.threads({ limit: LISTED + 1 });
  if (threads.length === 0) return "It has none; palimpsest import <transcript> adds some.";
  const ids = threads.slice(0, LISTED).map(({ id }) => id);
  const more = threads.length > LISTED ? ", and more: palimpsest threads lists all" : "";
  return `Give one of these after --thread: ${ids.join(", ")}${more}.`;
}

async function chooseBranch(store: Store, thread: string, asked: string | undefined): Promise<string> {
  await refuseUnknown(store, thread);
  const names = (await store.branches(thread)).map(({ name }) => name);
  if (asked === undefined) return names.includes(MAIN) ? MAIN : (names[0] ?? MAIN);
  if (names.includes(asked)) return asked;
  throw new CliError(
    `There is no branch ${JSON.stringify(asked)} in thread ${JSON.stringify(thread)}.`,
    `Give one of these after --branch: ${names.join(", ")}.`,
  );
}
