import { createHash } from "node:crypto";
import { setImmediate as loopTurn } from "node:timers/promises";
import type { Trajectory } from "../formats/transcripts/load-transcript.ts";
import { openHistory, type Store } from "../history/index.ts";
import { CliError } from "./cli-error.ts";
import type { ImportedThread } from "./history-imported.ts";
import { counted } from "./history-words.ts";
import { stepsOf, timesOf } from "./history-recorded.ts";
import { createProgress } from "./progress.ts";

/** So many messages are written at a time. */
const PIECE = 1_000;
/** What a thread's id may have. */
const MAX_ID_CHARACTERS = 200;

/** Writes each trajectory as a thread: the whole of it, or nothing. */
export function importTrajectories(
  file: string,
  trajectories: readonly Trajectory[],
  asked: string | undefined,
): (store: Store) => Promise<readonly ImportedThread[]> {
  const ids = asked === undefined ? threadIds(file, trajectories) : [asked];
  const all = trajectories.reduce((sum, { log }) => sum + log.length, 0);
  return async (store) => {
    await refuseThere(store, ids);
    const progress = createProgress("Importing", process.stderr, (amount) => counted(amount, "message"));
    const interruption = listenForInterruption();
    const imported: ImportedThread[] = [];
    let done = 0;
    const onWritten = async (messages: number): Promise<void> => {
      await interruption.check();
      progress.report((done += messages), all);
    };
    try {
      for (const [number, trajectory] of trajectories.entries()) {
        const thread = ids[number] ?? file;
        const written = await writeWhole(store, thread, trajectory, `imported from ${file}`, onWritten);
        imported.push({ thread, trajectory: trajectory.id, messages: trajectory.log.length, ...written });
      }
    } finally {
      interruption.end();
      progress.end();
    }
    return imported;
  };
}

/** Piece by piece, so that one can see how far it is. A thread of which only a part was written is taken away again. */
async function writeWhole(
  store: Store,
  thread: string,
  trajectory: Trajectory,
  reason: string,
  onWritten: (messages: number) => Promise<void>,
): Promise<{ readonly commits: number; readonly tokens: number; readonly calls: number }> {
  const history = await openHistory({ store, thread });
  const { log } = trajectory;
  const times = timesOf(trajectory);
  const steps = stepsOf(trajectory);
  let commits = 0;
  let tokens = 0;
  try {
    for (let from = 0; from < log.length; from += PIECE) {
      const piece = log.slice(from, from + PIECE);
      const written = await history.append(piece, { reason, ...(times === undefined ? {} : { times: times.slice(from, from + PIECE) }) });
      commits += written.length;
      for (const commit of written) tokens += commit.tokens;
      await onWritten(piece.length);
    }
    for (const step of steps) await history.record(step);
  } catch (error) {
    if (commits > 0) await store.forget(thread);
    throw error;
  }
  return { commits, tokens, calls: steps.length };
}

/** Ctrl-C must not leave a part of a thread behind: it is heard between two pieces. */
function listenForInterruption(): { readonly check: () => Promise<void>; readonly end: () => void } {
  let isInterrupted = false;
  const onSignal = (): void => {
    isInterrupted = true;
  };
  process.once("SIGINT", onSignal);
  return {
    check: async () => {
      // SQLite writes without giving way: a signal is only heard when the loop turns.
      await loopTurn();
      if (isInterrupted) throw new CliError("Interrupted: the thread that was being written was taken away again.", "Import it once more.");
    },
    end: () => process.off("SIGINT", onSignal),
  };
}

/** Nothing is written behind what is there: it would be another conversation. */
export async function refuseThere(store: Store, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    if ((await store.branches(id)).length > 0)
      throw new CliError(`There is a thread ${JSON.stringify(id)} in ${store.name} already.`, "Give another id after --thread, or forget that one first.");
  }
}

/** The same for the same file, each once. */
function threadIds(file: string, trajectories: readonly Trajectory[]): string[] {
  const ids = new Set<string>();
  for (const { id } of trajectories) {
    const wanted = fitting(id === file || id === "" ? file : `${file}/${id}`);
    let free = wanted;
    for (let number = 2; ids.has(free); number++) free = `${wanted}#${number}`;
    ids.add(free);
  }
  return [...ids];
}

/** What is too long is told apart by its hash. */
function fitting(id: string): string {
  const most = MAX_ID_CHARACTERS - 20;
  return id.length <= most ? id : `${id.slice(0, most - 12)}~${createHash("sha256").update(id).digest("hex").slice(0, 10)}`;
}
