import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { loadTranscript } from "../../formats/transcripts/load-transcript.ts";
import { recordTrajectory } from "../../inspector/index.ts";
import type { PresetName } from "../../policy/policy-options.ts";
import { DEFAULT_MODEL, guessOf } from "../../replay/counted-as.ts";
import { createMemoryStore } from "../../store/memory-store.ts";
import type { Store } from "../../store/store.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { Environment } from "../command-io.ts";
import { fileOfStore, openStoreThere } from "../history/with-store.ts";
import { defaultStore } from "../proxy/default-store.ts";
import { createProgress } from "../progress.ts";
import { printable } from "../safe-text.ts";
import { reading, sourceOf } from "../source.ts";

/** How a session file is read and played. */
export interface PlayOptions {
  readonly policy: PresetName | "none";
  readonly model?: string;
  readonly format?: string;
}

/** What the inspector shows. */
export interface Shown {
  readonly source: "store" | "file";
  readonly name: string;
  readonly store: Store;
  /** Notes that the page shows its reader. */
  readonly remarks: readonly string[];
  readonly whyGone: () => string | undefined;
}

/** The default store of `palimpsest import`. */
const LOCAL_FILE = "palimpsest.db";
const SQLITE_START = "SQLite format 3\0";

export async function openShown(context: CommandContext, given: string | undefined, options: PlayOptions): Promise<Shown> {
  const address = await storeAddressOf(context, given);
  return address === undefined ? playFile(context, given ?? "-", options) : openStored(context, address);
}

/** Undefined: it is a session file. */
async function storeAddressOf({ env, resolve }: CommandContext, given: string | undefined): Promise<string | undefined> {
  if (given === undefined) return env["PALIMPSEST_STORE"] ?? (existsSync(resolve(LOCAL_FILE)) ? `sqlite:${LOCAL_FILE}` : storeOfProxy(env));
  if (/^(sqlite:|postgres(ql)?:\/\/|memory$)/.test(given)) return given;
  return given !== "-" && (await isSqlite(resolve(given))) ? `sqlite:${given}` : undefined;
}

function storeOfProxy(env: Environment): string {
  const address = defaultStore(env);
  return address === "memory" ? `sqlite:${LOCAL_FILE}` : address;
}

async function isSqlite(path: string): Promise<boolean> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(SQLITE_START.length), 0, SQLITE_START.length, 0);
      return bytesRead === SQLITE_START.length && buffer.toString("latin1") === SQLITE_START;
    } finally {
      await file.close();
    }
  } catch {
    // Reading it as a session file will report what is wrong.
    return false;
  }
}

async function openStored(context: CommandContext, address: string): Promise<Shown> {
  const path = fileOfStore(address);
  const store = await openStoreThere(context, { store: address });
  const file = path === undefined ? undefined : context.resolve(path);
  return {
    source: "store",
    name: store.name,
    store,
    remarks: [],
    whyGone: () => (file === undefined || existsSync(file) ? undefined : `The store ${store.name} is gone: its file was moved or deleted.`),
  };
}

async function playFile(context: CommandContext, file: string, { policy, model, format }: PlayOptions): Promise<Shown> {
  const { trajectories, damaged, format: found } = await reading(context, await sourceOf(context, file), format, loadTranscript);
  const store = createMemoryStore();
  const progress = createProgress("Playing", context.stderr, (amount) => `${amount} messages`);
  const all = trajectories.reduce((sum, { log }) => sum + log.length, 0);
  const name = file === "-" ? "standard input" : basename(file);
  let done = 0;
  let recorded = 0;
  try {
    for (const [number, trajectory] of trajectories.entries()) {
      const before = done;
      const onProgress = (position: number): void => progress.report(before + position, all);
      const isRecorded = await recordTrajectory(trajectory, `session-${number + 1}`, {
        store,
        policy,
        format: found,
        name,
        onProgress,
        ...(model === undefined ? {} : { model }),
      });
      if (isRecorded) recorded++;
      done += trajectory.log.length;
    }
  } finally {
    progress.end();
  }
  if (recorded === 0)
    throw new CliError(
      `There are no calls of a model in ${printable(name)}, so there is nothing to show.`,
      "Give a session file with answers of a model in it.",
    );
  const isGuessed = model === undefined && trajectories.some((trajectory) => trajectory.model === undefined);
  const remarks = [
    policy === "none"
      ? "A recorded session, as its client sent it. Costs include prompt caching; sizes are estimates."
      : `A recorded session, played with the policy ${policy}: this is what would have been sent. Costs include prompt caching; sizes are estimates.`,
    ...(isGuessed ? [guessOf(DEFAULT_MODEL)] : []),
    ...(damaged.length === 0
      ? []
      : [`${damaged.length} ${damaged.length === 1 ? "line" : "lines"} of the file could not be read, the first of them line ${damaged[0]?.line ?? 1}.`]),
  ];
  return { source: "file", name, store, remarks, whyGone: () => undefined };
}
