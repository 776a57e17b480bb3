import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { loadTranscript, type Trajectory } from "../../../formats/transcripts/load-transcript.ts";
import { parseName } from "../../../history/history-input.ts";
import { CliError } from "../../cli-error.ts";
import type { CommandContext } from "../../command-context.ts";
import { importExport, isExport } from "./import-export.ts";
import { importTrajectories } from "./import-trajectories.ts";
import type { ImportChoice, WriteImport } from "./imported.ts";
import { reading, sourceOf } from "../../source.ts";

const STANDARD_INPUT = "-";
/** How much of a file is read to tell whether it is an export. */
const MOST_FIRST_BYTES = 4096;

/** Reads the file and returns a function that writes it into a store. */
export async function readImport(context: CommandContext, file: string, choice: ImportChoice): Promise<WriteImport> {
  if (choice.thread !== undefined) parseName(choice.thread, "--thread");
  // Standard input can be read only once.
  const bytes = file === STANDARD_INPUT ? await buffer(context.stdin) : undefined;
  if (choice.format === undefined && isExport(bytes?.subarray(0, MOST_FIRST_BYTES) ?? (await firstBytesOf(context.resolve(file)))))
    return importExport(context, file, bytes ?? (await buffer(createReadStream(context.resolve(file)))), choice);
  const source = bytes === undefined ? await sourceOf(context, file) : { stream: Readable.from([bytes]) };
  const { format, trajectories, damaged } = await reading(context, source, choice.format, loadTranscript);
  const write = importTrajectories(context, nameOf(file), chosen(trajectories, choice), choice);
  return async (store) => ({
    store: store.name,
    file,
    format: format.name,
    threads: await write(store),
    damaged: damaged.map(({ line, reason }) => ({ line, reason })),
  });
}

/** Returns nothing if the file cannot be read: reading all of it will report why. */
async function firstBytesOf(path: string): Promise<Uint8Array> {
  try {
    return await buffer(createReadStream(path, { end: MOST_FIRST_BYTES - 1 }));
  } catch {
    return new Uint8Array();
  }
}

/** Returns the file's name without its folder and endings such as `.jsonl.gz`. */
function nameOf(file: string): string {
  return file === STANDARD_INPUT ? "stdin" : basename(file).replace(/(?<=.)(\.(gz|jsonl?|eval|traj))+$/i, "");
}

function chosen(trajectories: readonly Trajectory[], { thread, trajectory: asked }: ImportChoice): readonly Trajectory[] {
  const found = trajectories.filter(({ id }) => asked === undefined || asked === id);
  const some = (): string =>
    trajectories
      .slice(0, 20)
      .map(({ id }) => id)
      .join(", ");
  if (asked !== undefined && found.length === 0) throw new CliError(`There is no trajectory ${asked} in the file.`, `Give one of these: ${some()}.`);
  if (thread !== undefined && found.length > 1)
    throw new CliError(`The file holds ${found.length} trajectories, and --thread names one thread.`, `Give one of these after --trajectory: ${some()}.`);
  if (found.every(({ log }) => log.length === 0)) throw new CliError("There are no messages in the file.", "Give another file.");
  return found.filter(({ log }) => log.length > 0);
}
