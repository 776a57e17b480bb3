import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { median } from "./statistics.ts";
import type { Timed } from "./subject.ts";

export interface Task {
  readonly name: string;
  arm(): Timed;
  /** Called before every sample, to copy the input. */
  renew?(): void;
}

export interface Plan {
  readonly rounds: number;
  /** A sample repeats a fast task until it lasts about this long. */
  readonly sampleMs: number;
  readonly mostRunsPerSample: number;
  /** Long enough for the code of every task to be fully optimised. */
  readonly warmUpMs: number;
  /** A task slower than this per run ... */
  readonly slowMs: number;
  /** ... takes part in only this many rounds, spread evenly. */
  readonly slowRounds: number;
}

export const FULL_PLAN: Plan = { rounds: 41, sampleMs: 5, mostRunsPerSample: 2000, warmUpMs: 2000, slowMs: 60, slowRounds: 5 };
export const QUICK_PLAN: Plan = { rounds: 21, sampleMs: 3, mostRunsPerSample: 2000, warmUpMs: 1500, slowMs: 60, slowRounds: 2 };

export interface Measured {
  readonly name: string;
  /** Milliseconds per run, by round; empty where the task did not take part. */
  readonly byRound: ReadonlyMap<number, number>;
  readonly medianMs: number;
}

interface Warm {
  readonly task: Task;
  readonly runsPerSample: number;
  /** Takes part in every n-th round. */
  readonly stride: number;
}

/**
 * Times all tasks against each other: after a warm-up, each round samples each task once, in a changing order, so that temporary
 * slowdowns hit all tasks. Each sample has its own copy of the input, because its place in memory can change a time by a fifth, for a
 * whole run if it stays there.
 */
export async function measure(tasks: readonly Task[], plan: Plan, progress: (text: string) => void): Promise<Measured[]> {
  const collectGarbage = garbageCollector();
  const warm = await warmUp(tasks, plan, progress);
  const times = new Map<Task, Map<number, number>>(tasks.map((task) => [task, new Map()]));
  for (let round = 0; round < plan.rounds; round++) {
    progress(`round ${round + 1} of ${plan.rounds}`);
    for (const { task, runsPerSample, stride } of orderOf(round, warm)) {
      if (round % stride !== 0) continue;
      task.renew?.();
      times.get(task)?.set(round, await sample(task, runsPerSample, collectGarbage));
    }
  }
  return tasks.map((task) => {
    const byRound = times.get(task) ?? new Map<number, number>();
    return { name: task.name, byRound, medianMs: median([...byRound.values()]) };
  });
}

/** The median of `a` over `b` within the rounds in which both took part. */
export function ratioOf(a: Measured, b: Measured): number {
  const ratios: number[] = [];
  for (const [round, ms] of a.byRound) {
    const other = b.byRound.get(round);
    if (other !== undefined) ratios.push(ms / other);
  }
  return median(ratios);
}

/** Two interleaved passes: the second one finds the code optimised (or de-optimised by other tasks), like the rounds. */
async function warmUp(tasks: readonly Task[], plan: Plan, progress: (text: string) => void): Promise<Warm[]> {
  const estimates = new Map<Task, number>();
  for (const pass of [1, 2]) {
    for (const [index, task] of tasks.entries()) {
      progress(`warm-up ${pass} of 2: ${index + 1} of ${tasks.length}`);
      const known = estimates.get(task);
      if (known !== undefined && known > plan.slowMs) continue;
      estimates.set(task, await runFor(task, plan.warmUpMs / 2));
    }
  }
  return tasks.map((task) => {
    const ms = estimates.get(task) ?? plan.sampleMs;
    return {
      task,
      runsPerSample: Math.min(plan.mostRunsPerSample, Math.max(1, Math.round(plan.sampleMs / ms))),
      stride: ms > plan.slowMs ? Math.max(1, Math.floor(plan.rounds / plan.slowRounds)) : 1,
    };
  });
}

/** Runs the task for about this much processor time, at least once. Returns the median time of its runs. */
async function runFor(task: Task, ms: number): Promise<number> {
  const times: number[] = [];
  let spent = 0;
  do {
    const time = await sample(task, 1, doNothing);
    times.push(time);
    spent += Math.max(time, LEAST_MS);
  } while (spent < ms);
  return median(times);
}

/** The minimum time of a run: the clock may not register a very short one. */
const LEAST_MS = 0.001;

/** Measures processor time of all threads: other jobs on the machine do not count, but concurrent garbage collection does. */
async function sample(task: Task, runs: number, collectGarbage: () => void): Promise<number> {
  const armed = Array.from({ length: runs }, () => task.arm());
  collectGarbage();
  const before = process.cpuUsage();
  for (const run of armed) {
    const result = run();
    if (result instanceof Promise) await result;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / runs;
}

function orderOf<T>(round: number, items: readonly T[]): T[] {
  const shift = round % items.length;
  const rotated = [...items.slice(shift), ...items.slice(0, shift)];
  return round % 2 === 0 ? rotated : rotated.reverse();
}

/**
 * Runs two young-generation collections, so that no task pays for the garbage of the previous one. Two, because survivors of the first
 * are moved once more by the next, which must not happen in the measured time just because the input is new.
 */
function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") return doNothing;
  return () => {
    for (let times = 0; times < 2; times++) Reflect.apply(collect, undefined, [{ type: "minor" }]);
  };
}

function doNothing(): void {
  // Nothing to do.
}
