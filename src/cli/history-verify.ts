import { Command } from "commander";
import type { Fault, Store } from "../history/index.ts";
import { verifyThread } from "../history/verify.ts";
import { shortHash } from "./history-commit.ts";
import { storeOption, withStore, type StoreOptions } from "./history-store.ts";
import { printTable } from "./history-table.ts";
import { refuseUnknown } from "./history-thread.ts";
import { amount, counted } from "./history-words.ts";
import { createProgress } from "./progress.ts";
import { openTerminal, printable, type Terminal } from "./terminal.ts";

interface VerifyOptions extends StoreOptions {
  readonly thread?: string;
}

interface VerifiedThread {
  readonly thread: string;
  readonly ok: boolean;
  readonly commits: number;
  readonly faults: readonly Fault[];
  /** Why it could not be read to its end. */
  readonly unreadable?: string;
}

const DETAILS = `
Recomputes the hashes of all commits and contents, and follows every branch from its first commit.

Examples:
  $ palimpsest verify
  $ palimpsest verify --thread fix-the-tests --json

--json: { store, ok, threads: [{ thread, ok, commits, faults: [{ branch, sequence, hash, fault }], unreadable? }] }

Exit codes: 0 all is as it was written, 1 there are faults, 2 the store could not be opened.`;

/** `palimpsest verify`: is everything as it was written? */
export function historyVerifyCommand(): Command {
  return new Command("verify")
    .summary("check that nothing in a store was changed or lost")
    .description("Checks the threads of a store: that every commit and every content is what its hash says, and that none is missing.")
    .addOption(storeOption())
    .option("--thread <id>", "only this thread; all of them unless given")
    .option("--json", "print what was found as JSON")
    .addHelpText("after", DETAILS)
    .action(async (options: VerifyOptions) => {
      await withStore(options, async (store) => {
        const threads = await verifyThreads(store, options.thread);
        const ok = threads.every((thread) => thread.ok);
        const terminal = openTerminal();
        if (options.json === true) terminal.print(JSON.stringify({ store: store.name, ok, threads }, null, 2));
        else printVerified(terminal, store.name, threads);
        process.exitCode = ok ? 0 : 1;
      });
    });
}

async function verifyThreads(store: Store, asked: string | undefined): Promise<VerifiedThread[]> {
  if (asked !== undefined) await refuseUnknown(store, asked);
  const ids = asked === undefined ? (await store.threads()).map(({ id }) => id) : [asked];
  const progress = createProgress("Verifying", process.stderr, (done) => counted(done, "thread"));
  const verified: VerifiedThread[] = [];
  try {
    for (const thread of ids) {
      progress.report(verified.length, ids.length);
      verified.push(await verifyOne(store, thread));
    }
  } finally {
    progress.end();
  }
  return verified;
}

/** What cannot even be read is a fault like others, and the rest of the threads is checked all the same. */
async function verifyOne(store: Store, thread: string): Promise<VerifiedThread> {
  try {
    return { thread, ...(await verifyThread(store, thread)) };
  } catch (error) {
    return { thread, ok: false, commits: 0, faults: [], unreadable: error instanceof Error ? error.message : String(error) };
  }
}

function printVerified(terminal: Terminal, store: string, threads: readonly VerifiedThread[]): void {
  const rows = threads.flatMap(({ thread, faults, unreadable }) => [
    ...faults.map(({ branch, sequence, hash, fault }) => [thread, branch, amount(sequence), shortHash(hash), fault].map(printable)),
    ...(unreadable === undefined ? [] : [[thread, "", "", "", unreadable].map(printable)]),
  ]);
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
  terminal.print(rows.length === 0 ? `No faults in ${checked}.` : terminal.red(`${counted(rows.length, "fault")} in ${checked}.`));
}
