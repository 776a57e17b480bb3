import { PalimpsestError } from "../errors/palimpsest-error.ts";
import { NAMED_WITHIN } from "../formats/transcripts/load-transcript.ts";
import type { DamagedEntry, Entry, TrajectoryEntry, TranscriptFormat } from "../formats/transcripts/transcript-format.ts";
import type { Usage } from "../messages/usage.ts";
import { appendOnlyBill, type GrowingRequest } from "../pricing/append-only-bill.ts";
import type { ModelInfo } from "../pricing/models/model.ts";
import { ContextProfiler, type ContextProfile } from "./context-profile.ts";
import { headSize } from "./context-size.ts";
import { countedAs, type CountedAs } from "./counted-as.ts";

export interface InspectedFile {
  readonly format: string;
  readonly trajectories: readonly InspectedTrajectory[];
  readonly damaged: readonly DamagedEntry[];
}

export interface InspectedTrajectory extends ContextProfile {
  readonly id: string;
  /** The model whose prices were used, and whose tokens too, if it was named. */
  readonly model: string;
  /** Why the prices are a guess; missing if they are not. */
  readonly guess?: string;
  /** How often the agent's own harness shortened the context. */
  readonly compactions: number;
  /** Undefined if no model was called. */
  readonly cost: TrajectoryCost | undefined;
}

/** Dollars for all calls of the model, if nothing is ever shortened. */
export interface TrajectoryCost extends Omit<Usage, "cacheWriteTokens"> {
  readonly uncachedDollars: number;
  readonly cachedDollars: number;
}

export interface InspectOptions {
  readonly model?: string;
  /** Only the trajectory with this id. */
  readonly trajectory?: string;
}

/** Reads the entries of a file once and keeps only sizes. */
export async function inspectEntries(format: TranscriptFormat, entries: AsyncIterable<Entry>, options: InspectOptions = {}): Promise<InspectedFile> {
  const trajectories: InspectedTrajectory[] = [];
  const damaged: DamagedEntry[] = [];
  const ids: string[] = [];
  let current: TrajectoryInspector | undefined;
  const close = (): void => {
    if (current !== undefined) trajectories.push(current.finish());
    current = undefined;
  };
  for await (const entry of entries) {
    if (entry.kind === "damaged") damaged.push(entry);
    else if (entry.kind === "trajectory") {
      close();
      ids.push(entry.id);
      if (options.trajectory === undefined || options.trajectory === entry.id) current = new TrajectoryInspector(entry, options.model);
    } else current?.add(entry);
  }
  close();
  if (options.trajectory !== undefined && trajectories.length === 0)
    throw new PalimpsestError("INVALID_OPTION", `There is no trajectory ${options.trajectory} in the file; it has ${ids.slice(0, 20).join(", ")}.`, {
      path: "trajectory",
      expected: "the id of a trajectory",
      found: options.trajectory,
    });
  return { format: format.name, trajectories, damaged };
}

/** Scales sizes at the end, because a session may name its model late. The first named model counts, as for `Trajectory.model`. */
class TrajectoryInspector {
  readonly #entry: TrajectoryEntry;
  #profiler: ContextProfiler | undefined;
  #counted: CountedAs | undefined;
  #model: string | undefined;
  #waiting: Extract<Entry, { kind: "message" }>[] = [];
  #compactions = 0;

  constructor(entry: TrajectoryEntry, asked: string | undefined) {
    this.#entry = entry;
    this.#model = asked ?? entry.model;
  }

  add(entry: Exclude<Entry, TrajectoryEntry | DamagedEntry>): void {
    if (entry.kind === "compaction") {
      this.#compactions++;
      return;
    }
    this.#model ??= entry.model;
    if (this.#profiler === undefined && this.#model === undefined && this.#waiting.length < NAMED_WITHIN) this.#waiting.push(entry);
    else this.#open().add(entry);
  }

  finish(): InspectedTrajectory {
    const profile = this.#open().finish();
    const { model, info, guess } = (this.#counted ??= countedAs(this.#model));
    return {
      id: this.#entry.id,
      model,
      ...(guess === undefined ? {} : { guess }),
      ...profile,
      compactions: this.#compactions,
      cost: costOfGrowth(profile, info),
    };
  }

  #open(): ContextProfiler {
    if (this.#profiler !== undefined) return this.#profiler;
    const { tokenFactor } = (this.#counted ??= countedAs(this.#model));
    this.#profiler = new ContextProfiler({ tokenFactor, headTokens: headSize(this.#entry, tokenFactor) });
    for (const entry of this.#waiting) this.#profiler.add(entry);
    this.#waiting = [];
    return this.#profiler;
  }
}

function costOfGrowth({ growth }: ContextProfile, info: ModelInfo): TrajectoryCost | undefined {
  if (growth.length === 0) return undefined;
  const requests = growth.map(({ contextTokens, ...rest }): GrowingRequest => ({ inputTokens: contextTokens, ...rest }));
  const cached = appendOnlyBill(requests, info, true);
  return {
    inputTokens: cached.inputTokens,
    outputTokens: cached.outputTokens,
    uncachedDollars: appendOnlyBill(requests, info, false).dollars,
    cachedDollars: cached.dollars,
    cacheReadTokens: cached.cacheRead,
  };
}
