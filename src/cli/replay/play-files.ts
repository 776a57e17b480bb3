import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import { loadTranscript, type Trajectory, type Transcript } from "../../formats/transcripts/load-transcript.ts";
import type { DamagedEntry } from "../../formats/transcripts/transcript-format.ts";
import { DEFAULT_MODEL, guessOf } from "../../replay/counted-as.ts";
import { ReplayMeter, type ReplayMeasures } from "../../replay/measure-replay.ts";
import { replayHead } from "../../replay/replay-head.ts";
import type { ReplayPolicy } from "../../replay/replay-policy.ts";
import { replayTrajectory } from "../../replay/replay-trajectory.ts";
import { ViewLines } from "../../replay/view-lines.ts";
import { WireMessages } from "../../replay/wire-messages.ts";
import type { CommandContext } from "../command-context.ts";
import { createProgress, type Progress } from "../progress.ts";
import { reading, sourceOf } from "../source.ts";

export interface PlayOptions {
  readonly policy: ReplayPolicy;
  readonly format: string | undefined;
  readonly model: string | undefined;
  /** Only the trajectories with this id. */
  readonly trajectory: string | undefined;
  /** Whether to yield the lines of `--views`. */
  readonly writesViews: boolean;
}

export interface PlayedFile {
  readonly file: string;
  readonly format: string;
  readonly trajectories: readonly PlayedTrajectory[];
  readonly damaged: readonly DamagedEntry[];
}

export interface PlayedTrajectory extends ReplayMeasures {
  readonly id: string;
  /** The models that were called. */
  readonly models: readonly string[];
  /** Why prices are a guess, one sentence each. */
  readonly guesses: readonly string[];
}

/** Plays one file after the other. Yields the lines of `--views`, if asked for, and adds each file's measurements to `played`. */
export async function* playFiles(context: CommandContext, files: readonly string[], options: PlayOptions, played: PlayedFile[]): AsyncGenerator<string, void> {
  const lines = new ViewLines();
  const ids: string[] = [];
  for (const [number, file] of files.entries()) {
    const transcript = await reading(context, await sourceOf(context, file), options.format, loadTranscript);
    ids.push(...transcript.trajectories.map(({ id }) => id));
    const chosen = transcript.trajectories.filter(({ id }) => options.trajectory === undefined || options.trajectory === id);
    const progress = createProgress(`Playing file ${number + 1} of ${files.length},`, context.stderr, (amount) => `${amount} messages`);
    const trajectories: PlayedTrajectory[] = [];
    try {
      const all = chosen.reduce((sum, { log }) => sum + log.length, 0);
      let done = 0;
      for (const trajectory of chosen) {
        const before = done;
        trajectories.push(yield* playTrajectory(file, transcript, trajectory, options, lines, (position) => progress.report(before + position, all)));
        done += trajectory.log.length;
      }
    } catch (error) {
      throw inFile(file, error);
    } finally {
      progress.end();
    }
    played.push({ file, format: transcript.format.name, trajectories, damaged: transcript.damaged });
  }
  if (options.trajectory !== undefined && played.every(({ trajectories }) => trajectories.length === 0)) throw unknownTrajectory(options.trajectory, ids);
}

function* playTrajectory(
  file: string,
  { format }: Transcript,
  trajectory: Trajectory,
  { policy, model, writesViews }: PlayOptions,
  lines: ViewLines,
  report: Progress["report"],
): Generator<string, PlayedTrajectory> {
  const { id, log } = trajectory;
  const head = replayHead(trajectory);
  const wire = new WireMessages(format.wire, log);
  const models = new Set<string>();
  const guesses = new Set(model === undefined && trajectory.model === undefined ? [guessOf(DEFAULT_MODEL)] : []);
  const meter = new ReplayMeter(head, wire, { onWarning: (warning) => guesses.add(warning) });
  for (const call of replayTrajectory(trajectory, policy, model === undefined ? {} : { model })) {
    meter.add(call);
    models.add(call.model);
    if (writesViews) yield* lines.of(call, { file, trajectory: id, head, wire });
    report(call.position);
  }
  return { id, models: [...models], guesses: models.size === 0 ? [] : [...guesses], ...meter.finish() };
}

/** Adds the name of the file to an error, as there may be many files. */
function inFile(file: string, error: unknown): unknown {
  return PalimpsestError.isInstance(error) ? new PalimpsestError(error.code, `${file}: ${error.message}`, error.data, error) : error;
}

function unknownTrajectory(asked: string, ids: readonly string[]): PalimpsestError {
  return new PalimpsestError("INVALID_OPTION", `There is no trajectory ${asked} in these files; there are ${ids.slice(0, 20).join(", ")}.`, {
    path: "trajectory",
    expected: "the id of a trajectory",
    found: asked,
  });
}
