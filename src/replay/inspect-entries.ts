import { PalimpsestError } from "../errors/palimpsest-error.ts";
import type { DamagedEntry, Entry, TrajectoryEntry, TranscriptFormat } from "../formats/transcripts/transcript-format.ts";
import { appendOnlyBill, type GrowingRequest } from "../pricing/append-only-bill.ts";
import { modelInfo } from "../pricing/model-info.ts";
import { contentTokens } from "../tokens/message-tokens.ts";
import { ContextProfiler, type ContextProfile } from "./context-profile.ts";
import { DEFAULT_MODEL } from "./default-model.ts";

export interface InspectedFile {
  readonly format: string;
  readonly trajectories: readonly InspectedTrajectory[];
  readonly damaged: readonly DamagedEntry[];
}

export interface InspectedTrajectory extends ContextProfile {
  readonly id: string;
  /** The model whose tokens and prices were used. */
  readonly model: string;
  /** How often the agent's own harness shortened the context. */
  readonly compactions: number;
  /** Undefined where no model was called. */
  readonly cost: TrajectoryCost | undefined;
}

/** Dollars for all calls of the model, if nothing is ever shortened. */
export interface TrajectoryCost {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly uncachedDollars: number;
  readonly cachedDollars: number;
  readonly cacheReadTokens: number;
}

export interface InspectOptions {
  readonly model?: string;
  /** Only the trajectory with this id. */
  readonly trajectory?: string;
}

/** Reads the entries of a file once and keeps sizes only. */
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

/** Sizes can only be scaled once the model is known, and a session may name it late: the first named one counts. */
class TrajectoryInspector {
  readonly #entry: TrajectoryEntry;
  readonly #asked: string | undefined;
  #profiler: ContextProfiler | undefined;
  #model: string | undefined;
  #waiting: Extract<Entry, { kind: "message" }>[] = [];
  #compactions = 0;

  constructor(entry: TrajectoryEntry, asked: string | undefined) {
    this.#entry = entry;
    this.#asked = asked;
    this.#model = asked ?? entry.model;
  }

  add(entry: Exclude<Entry, TrajectoryEntry | DamagedEntry>): void {
    if (entry.kind === "compaction") {
      this.#compactions++;
      return;
    }
    this.#model ??= entry.model;
    // The first response names its model.
    if (this.#model === undefined && entry.message.role !== "assistant") this.#waiting.push(entry);
    else this.#open().add(entry);
  }

  finish(): InspectedTrajectory {
    const profile = this.#open().finish();
    const model = this.#model ?? DEFAULT_MODEL;
    return { id: this.#entry.id, model, ...profile, compactions: this.#compactions, cost: costOfGrowth(profile, model) };
  }

  #open(): ContextProfiler {
    if (this.#profiler !== undefined) return this.#profiler;
    this.#model ??= this.#asked ?? DEFAULT_MODEL;
    const { tokenFactor } = modelInfo(this.#model);
    const { system, tools } = this.#entry;
    const headTokens = Math.round((contentTokens(system) + contentTokens(tools === undefined ? undefined : JSON.stringify(tools))) * tokenFactor);
    this.#profiler = new ContextProfiler({ tokenFactor, headTokens });
    for (const entry of this.#waiting) this.#profiler.add(entry);
    this.#waiting = [];
    return this.#profiler;
  }
}

function costOfGrowth({ growth }: ContextProfile, model: string): TrajectoryCost | undefined {
  if (growth.length === 0) return undefined;
  const info = modelInfo(model);
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
