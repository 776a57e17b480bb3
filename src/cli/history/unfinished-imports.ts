import type { Store, UnfinishedImport } from "../../history/index.ts";
import { ThreadImport } from "../../history/thread-import.ts";
import { CliError } from "../cli-error.ts";
import type { ImportChoice } from "./import/imported.ts";
import { counted, moment } from "./numbers-and-times.ts";
import { printable } from "../safe-text.ts";

/** What to do about an unfinished import, for every message that names one. */
export const WAYS_ON = "palimpsest import <file> --resume goes on with it, --replace starts again, and palimpsest forget <thread> deletes what was written.";

export function unfinishedWords({ thread, commits, beganAt }: UnfinishedImport): string {
  return `The import of thread ${printable(JSON.stringify(thread))} is not finished: it began at ${moment(beganAt)} and has written ${counted(commits, "commit")}. If it is not still running, it was interrupted.`;
}

export function unfinishedJson({ thread, commits, beganAt }: UnfinishedImport): {
  readonly thread: string;
  readonly commits: number;
  readonly beganAt: number;
} {
  return { thread, commits, beganAt };
}

export async function unfinishedOf(store: Store, thread: string): Promise<readonly UnfinishedImport[]> {
  return (await store.unfinished()).filter((unfinished) => unfinished.thread === thread);
}

/** Refuses, before anything is written, an import that could not be finished. Only naming the thread at the end makes sure. */
export async function refuseThere(store: Store, threads: readonly string[], { resume, replace }: ImportChoice): Promise<void> {
  if (resume === true && replace === true) throw new CliError("Only one of --resume and --replace can be given.", "Leave the other out.");
  for (const thread of threads) {
    if ((await store.branches(thread)).length > 0) throw alreadyThere(store, thread);
    const [unfinished] = await unfinishedOf(store, thread);
    if (unfinished !== undefined && resume !== true && replace !== true) throw new CliError(unfinishedWords(unfinished), WAYS_ON);
  }
}

/** Continues the newest unfinished import; with `replace`, deletes all of them and starts again. */
export async function beginImport(store: Store, thread: string, { resume, replace }: ImportChoice): Promise<ThreadImport> {
  const unfinished = resume === true || replace === true ? await unfinishedOf(store, thread) : [];
  const newest = unfinished.at(-1);
  if (resume === true && newest !== undefined) return ThreadImport.resume(store, newest);
  for (const { id } of unfinished) await store.forget(id);
  return ThreadImport.begin(store, thread);
}

function alreadyThere(store: Store, thread: string): CliError {
  return new CliError(
    `There is already a thread ${JSON.stringify(thread)} in ${store.name}.`,
    "Give another id after --thread, or delete that thread first (palimpsest forget).",
  );
}
