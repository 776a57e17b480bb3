import { median } from "../statistics.ts";

export interface Runner {
  readonly name: string;
  /** Does its part of the round. */
  run(round: number): Promise<void>;
}

export interface Raced {
  readonly name: string;
  /** Milliseconds, by round. */
  readonly times: readonly number[];
  readonly medianMs: number;
}

/** Runs all in every round, in changing order, so that temporary slowdowns hit all of them. The first round does not count. */
export async function race(runners: readonly Runner[], rounds: number, progress: (text: string) => void): Promise<Raced[]> {
  const times = new Map<Runner, number[]>(runners.map((runner) => [runner, []]));
  for (let round = 0; round <= rounds; round++) {
    progress(`round ${round} of ${rounds}`);
    for (const runner of round % 2 === 0 ? runners : runners.toReversed()) {
      const start = performance.now();
      await runner.run(round);
      if (round > 0) times.get(runner)?.push(performance.now() - start);
    }
  }
  return runners.map((runner) => {
    const all = times.get(runner) ?? [];
    return { name: runner.name, times: all, medianMs: median(all) };
  });
}

/** The median over the rounds of the time of `a` over that of `b`. */
export function ratioOf(a: Raced | undefined, b: Raced | undefined): number {
  return a === undefined || b === undefined ? Number.NaN : median(a.times.map((ms, round) => ms / (b.times[round] ?? Number.NaN)));
}
