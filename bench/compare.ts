import { ours } from "./ours/all.ts";
import { peers } from "./peers/all.ts";
import { measure, ratioOf, type Measured, type Plan, type Task } from "./measure.ts";
import { withFreshInputs, type Loaded, type Subject, type Timed } from "./subject.ts";
import type { Workload } from "./threads/workload.ts";
import { cloned, jsonParse } from "./yardsticks.ts";

export interface Rival {
  readonly name: string;
  readonly ms: number;
  /** Our time over its time. */
  readonly ratio: number;
}

/** One of our functions on one workload. */
export interface Comparison {
  readonly name: string;
  readonly ms: number;
  readonly fastestLike: Rival;
  /** Includes the bare operations, whose conversion is not timed. For information. */
  readonly fastestBare: Rival;
  /** The fastest of any job. For information. */
  readonly fastestOfAll: Rival;
  readonly yardsticks: readonly Rival[];
}

export interface WorkloadResult {
  readonly workload: string;
  readonly comparisons: readonly Comparison[];
  /** Milliseconds per run of everything that was measured. */
  readonly times: readonly { readonly name: string; readonly ms: number; readonly samples: number }[];
  /** The observed effect of each operation, per thread. */
  readonly work: readonly { readonly name: string; readonly did: readonly string[] }[];
}

const YARDSTICKS: readonly Subject[] = [jsonParse, cloned];

/** Checks that every operation does its work, then times all of them against each other. */
export async function compareOn(workload: Workload, plan: Plan, fresh: boolean, progress: (text: string) => void): Promise<WorkloadResult> {
  // Fresh inputs all exist before a sample begins.
  const samplePlan = fresh ? { ...plan, mostRunsPerSample: 4 } : plan;
  const subjects = [...ours, ...peers, ...YARDSTICKS].map((subject) => (fresh ? withFreshInputs(subject) : subject));
  const work: { name: string; did: string[] }[] = [];
  const tasks: Task[] = [];
  for (const subject of subjects) {
    progress(`checking ${subject.name}`);
    const loaded = workload.threads.map((thread) => subject.load(thread));
    work.push({ name: subject.name, did: await checkAll(loaded) });
    tasks.push(taskOf(subject.name, loaded));
  }
  const measured = await measure(tasks, samplePlan, progress);
  const byName = new Map(measured.map((one) => [one.name, one]));
  const find = (names: readonly Subject[]): Measured[] => names.flatMap(({ name }) => byName.get(name) ?? []);
  return {
    workload: workload.name,
    comparisons: ours.flatMap((subject) =>
      find([subject]).map((own) => {
        const like = peers.filter((peer) => isLike(subject, peer));
        return compare(own, find(like.filter(({ isBare }) => !isBare)), find(like), find(peers), find(YARDSTICKS));
      }),
    ),
    times: measured.map(({ name, medianMs, byRound }) => ({ name, ms: medianMs, samples: byRound.size })),
    work,
  };
}

/** One run over all the threads. */
export function taskOf(name: string, loaded: readonly Loaded[]): Task {
  return {
    name,
    renew() {
      for (const one of loaded) one.renew();
    },
    arm(): Timed {
      const runs = loaded.map((one) => one.arm());
      const [only] = runs;
      if (runs.length === 1 && only !== undefined) return only;
      return () => runAll(runs);
    },
  };
}

function runAll(runs: readonly Timed[]): unknown {
  const waiting: Promise<unknown>[] = [];
  for (const run of runs) {
    const result = run();
    if (result instanceof Promise) waiting.push(result);
  }
  return waiting.length === 0 ? undefined : Promise.all(waiting);
}

async function checkAll(loaded: readonly Loaded[]): Promise<string[]> {
  const did: string[] = [];
  for (const one of loaded) did.push(await one.check());
  return did;
}

function isLike(own: Subject, peer: Subject): boolean {
  return peer.jobs.some((job) => own.jobs.includes(job));
}

function compare(
  own: Measured,
  like: readonly Measured[],
  likeOrBare: readonly Measured[],
  all: readonly Measured[],
  yardsticks: readonly Measured[],
): Comparison {
  return {
    name: own.name,
    ms: own.medianMs,
    fastestLike: fastest(own, like),
    fastestBare: fastest(own, likeOrBare),
    fastestOfAll: fastest(own, all),
    yardsticks: yardsticks.map((one) => rival(own, one)),
  };
}

function fastest(own: Measured, others: readonly Measured[]): Rival {
  const [first] = others.toSorted((a, b) => a.medianMs - b.medianMs);
  if (first === undefined) throw new Error(`no peer does what ${own.name} does`);
  return rival(own, first);
}

function rival(own: Measured, other: Measured): Rival {
  return { name: other.name, ms: other.medianMs, ratio: ratioOf(own, other) };
}
