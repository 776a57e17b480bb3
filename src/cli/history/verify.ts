import { Command } from "commander";
import type { Fault, Store, UnfinishedImport } from "../../history/index.ts";
import { expectedMissing, hasCommit, verifyStore, verifyThread } from "../../history/verify.ts";
import type { CommandContext } from "../command-context.ts";
import { shortHash } from "./find-commit.ts";
import { storeOption, withStore, type StoreOptions } from "./with-store.ts";
import { printTable } from "./print-table.ts";
import { refuseUnknown } from "./with-thread.ts";
import { unfinishedJson, unfinishedWords, WAYS_ON } from "./unfinished-imports.ts";
import { amount, counted } from "./numbers-and-times.ts";
import { createProgress } from "../progress.ts";
import { printable } from "../safe-text.ts";
import type { Terminal } from "../terminal.ts";

interface VerifyOptions extends StoreOptions {
  readonly thread?: string;
  readonly expect?: string;
  readonly repair?: boolean;
}

interface Verified {
  readonly threads: readonly VerifiedThread[];
  /** Faults of the database, and of data that belongs to no thread. */
  readonly faults: readonly Fault[];
  readonly unfinished: readonly UnfinishedImport[];
}

interface VerifiedThread {
  readonly thread: string;
  readonly ok: boolean;
  readonly commits: number;
  readonly faults: readonly Fault[];
  /** Why reading it failed. */
  readonly unreadable?: string;
}

const DETAILS = `
Recomputes the hashes of all commits and contents, follows every branch from its first commit, and checks everything else that is stored:
names, branches, recorded calls, and indexes for queries. --repair rebuilds damaged indexes. If somebody cuts off the end of a thread
and removes all traces of it, only a hash that you know from elsewhere can reveal that: give it with --expect.

Examples:
  $ palimpsest verify
  $ palimpsest verify --thread fix-the-tests --expect 3f9a12c4d8 --json
  $ palimpsest verify --repair

--json: { store, ok, threads: [{ thread, ok, commits, faults: [{ branch, sequence, hash, fault, repairable? }], unreadable? }], faults, unfinished }
(the outer faults: those of the database itself; unfinished: imports that are still running, or were interrupted: [{ thread, commits, beganAt }])

Exit codes: 0 everything is as it was written, 1 there are faults or unfinished imports, 2 the store could not be opened.`;

/** `palimpsest verify`: is everything as it was written? */
export function historyVerifyCommand(context: CommandContext): Command {
  return new Command("verify")
    .summary("check that nothing in a store was changed or lost")
    .description("Checks that everything in a store is as it was written, and that nothing is missing.")
    .addOption(storeOption(context))
    .option("--thread <id>", "only this thread (default: all)")
    .option("--expect <hash>", "a commit that must be there: its hash, or the beginning of it")
    .option("--repair", "rebuild damaged data that is derived from commits and contents")
    .option("--json", "print what was found as JSON")
    .addHelpText("after", DETAILS)
    .action(async (options: VerifyOptions) => {
      await withStore(context, options, async (store) => {
        const verified = await verifyAll(context, store, options);
        const { threads, faults, unfinished } = verified;
        const ok = threads.every((thread) => thread.ok) && faults.length + unfinished.length === 0;
        const { terminal } = context;
        if (options.json === true) terminal.printJson({ store: store.name, ok, threads, faults, unfinished: unfinished.map(unfinishedJson) });
        else printVerified(terminal, store.name, verified);
        context.exitWith(ok ? 0 : 1);
      });
    });
}

async function verifyAll({ stderr }: CommandContext, store: Store, { thread: asked, expect, repair = false }: VerifyOptions): Promise<Verified> {
  if (asked !== undefined) await refuseUnknown(store, asked);
  const faults = await ofStore(store, repair);
  const ids = asked === undefined ? (await store.threads()).map(({ id }) => id) : [asked];
  const progress = createProgress("Verifying", stderr, (done) => counted(done, "thread"));
  const threads: VerifiedThread[] = [];
  try {
    for (const thread of ids) {
      progress.report(threads.length, ids.length);
      threads.push(await verifyOne(store, thread, repair));
    }
  } finally {
    progress.end();
  }
  const isThere = expect === undefined || (await Promise.all(ids.map((id) => hasCommit(store, id, expect.toLowerCase())))).includes(true);
  return { threads, faults: isThere ? faults : [...faults, expectedMissing(expect)], unfinished: asked === undefined ? await store.unfinished() : [] };
}

async function ofStore(store: Store, repair: boolean): Promise<Fault[]> {
  try {
    return await verifyStore(store, { repair });
  } catch (error) {
    return [{ branch: "", sequence: 0, hash: "", fault: messageOf(error) }];
  }
}

/** An unreadable thread counts as a fault, and the other threads are still checked. */
async function verifyOne(store: Store, thread: string, repair: boolean): Promise<VerifiedThread> {
  try {
    return { thread, ...(await verifyThread(store, thread, { repair })) };
  } catch (error) {
    return { thread, ok: false, commits: 0, faults: [], unreadable: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function printVerified(terminal: Terminal, store: string, { threads, faults: ofStore, unfinished }: Verified): void {
  const rowOf = (thread: string, { branch, sequence, hash, fault, repairable }: Fault): string[] =>
    [thread, branch, branch === "" ? "" : amount(sequence), shortHash(hash), repairable === true ? `${fault} (--repair)` : fault].map(printable);
  const rows = threads.flatMap(({ thread, faults, unreadable }) => [
    ...faults.map((fault) => rowOf(thread, fault)),
    ...(unreadable === undefined ? [] : [[thread, "", "", "", unreadable].map(printable)]),
  ]);
  rows.push(...ofStore.map((fault) => rowOf("", fault)));
  if (rows.length > 0) {
    printTable(
      terminal,
      [
        { title: "thread", give: "cut" },
        { title: "branch", give: "cut" },
        { title: "place", align: "right" },
        { title: "commit" },
        { title: "fault", give: "wrap" },
      ],
      rows,
    );
    terminal.print();
  }
  const commits = threads.reduce((sum, thread) => sum + thread.commits, 0);
  const checked = `${counted(commits, "commit")} of ${counted(threads.length, "thread")} in ${store}`;
  for (const one of unfinished) terminal.print(terminal.red(`${unfinishedWords(one)} ${WAYS_ON}`));
  terminal.print(rows.length === 0 ? `No faults in ${checked}.` : terminal.red(`${counted(rows.length, "fault")} in ${checked}.`));
}
