import { createHash } from "node:crypto";
import type { Trajectory } from "../../../formats/transcripts/load-transcript.ts";
import { parseAuthors } from "../../../history/authorship.ts";
import { ImportWriter } from "../../../history/import-writer.ts";
import type { Store } from "../../../history/index.ts";
import { parseMessages } from "../../../messages/parse-messages.ts";
import { contextSize } from "../../../replay/context-size.ts";
import { countedAs } from "../../../replay/counted-as.ts";
import type { CommandContext } from "../../command-context.ts";
import type { ImportChoice, ImportedThread } from "./imported.ts";
import { counted } from "../numbers-and-times.ts";
import { listenForInterruption } from "./interruption.ts";
import { stepsOf, timesOf } from "./recorded-steps.ts";
import { beginImport, refuseThere } from "../unfinished-imports.ts";
import { createProgress } from "../../progress.ts";

const MAIN = "main";

/** Messages written at a time. */
const PIECE = 1_000;
/** The longest id that a thread may have. */
const MAX_ID_CHARACTERS = 200;

/** Writes each trajectory as a thread: all of it or nothing. */
export function importTrajectories(
  { stderr, interrupts }: Pick<CommandContext, "stderr" | "interrupts">,
  file: string,
  trajectories: readonly Trajectory[],
  choice: ImportChoice,
): (store: Store) => Promise<readonly ImportedThread[]> {
  const ids = choice.thread === undefined ? threadIds(file, trajectories) : [choice.thread];
  const all = trajectories.reduce((sum, { log }) => sum + log.length, 0);
  return async (store) => {
    await refuseThere(store, ids, choice);
    const progress = createProgress("Importing", stderr, (amount) => counted(amount, "message"));
    const interruption = listenForInterruption(interrupts);
    const imported: ImportedThread[] = [];
    let done = 0;
    try {
      for (const [number, trajectory] of trajectories.entries()) {
        const thread = ids[number] ?? file;
        const target = await beginImport(store, thread, choice);
        const onWritten = async (messages: number): Promise<void> => {
          await interruption.check(target.isResumed);
          progress.report((done += messages), all);
        };
        const written = await target.complete((id) => writeWhole(store, { id, thread }, trajectory, `imported from ${file}`, onWritten));
        const size = contextSize(trajectory, countedAs(trajectory.model).tokenFactor);
        imported.push({ thread, trajectory: trajectory.id, messages: size.messages, commits: written.commits, tokens: size.tokens, calls: written.calls });
      }
    } finally {
      interruption.end();
      progress.end();
    }
    return imported;
  };
}

/** Writes piece by piece, so that progress can be shown. */
async function writeWhole(
  store: Store,
  { id, thread }: { readonly id: string; readonly thread: string },
  trajectory: Trajectory,
  reason: string,
  onWritten: (messages: number) => Promise<void>,
): Promise<{ readonly commits: number; readonly calls: number }> {
  const { log } = trajectory;
  const times = timesOf(trajectory);
  const steps = stepsOf(trajectory);
  const writer = await ImportWriter.open(store, { thread: id, branch: MAIN }, thread, log);
  await onWritten(writer.messages);
  for (let from = writer.messages; from < log.length; from += PIECE) {
    const piece = log.slice(from, from + PIECE);
    const authorOf = parseAuthors({ reason, ...(times === undefined ? {} : { times: times.slice(from, from + PIECE) }) }, piece.length);
    await writer.append(parseMessages(piece), authorOf);
    await onWritten(piece.length);
  }
  await writer.record(steps);
  return { commits: writer.commits.length, calls: steps.length };
}

/** Returns a unique id for each trajectory, the same ids each time for the same file. */
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

/** Cuts an id that is too long and adds its hash, so that ids stay unique. */
function fitting(id: string): string {
  const most = MAX_ID_CHARACTERS - 20;
  return id.length <= most ? id : `${id.slice(0, most - 12)}~${createHash("sha256").update(id).digest("hex").slice(0, 10)}`;
}
