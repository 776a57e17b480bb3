import { callback, parseOptions, positiveInteger, type FieldsOf } from "../errors/parse-options.ts";
import type { Summarizer } from "../stateless/summarize-and-prune.ts";

type Input = Parameters<Summarizer>[0];

export interface BackgroundOptions {
  /** The number of summaries written at the same time. Default 2. */
  readonly concurrency?: number;
  /** Called with every failure. It must not throw. */
  readonly onFailure?: (key: string, error: unknown) => void;
}

export type BackgroundState =
  { readonly state: "waiting" | "running" } | { readonly state: "ready"; readonly summary: string } | { readonly state: "failed"; readonly error: unknown };

export interface BackgroundSummaries {
  /** Starts a summary at once, or as soon as another is done. A key is requested only once, unless it failed. */
  request(key: string, input: Input): void;
  /** Returns the summary, once it exists. */
  ready(key: string): string | undefined;
  /** Returns undefined for a key that was never requested or was forgotten. */
  stateOf(key: string): BackgroundState | undefined;
  /** Forgets a key. A summary in progress is discarded; a waiting one is not started. */
  forget(key: string): void;
  /** Resolves when nothing is waiting or running. Never rejects. */
  settled(): Promise<void>;
}

const FIELDS: FieldsOf<BackgroundOptions> = { concurrency: positiveInteger, onFailure: callback("a function of a key and an error") };

/** Requests summaries now that the caller uses later, at its next batch. Failures are recorded and never thrown. */
export function inBackground(summarizer: Summarizer, options: BackgroundOptions = {}): BackgroundSummaries {
  const { concurrency = 2, onFailure } = parseOptions(options, "options", FIELDS);
  const jobs = new Map<string, BackgroundState>();
  const waiting: { readonly key: string; readonly input: Input; readonly job: BackgroundState }[] = [];
  let running = 0;
  let onSettled: (() => void)[] = [];

  const startNext = (): void => {
    while (running < concurrency) {
      const next = waiting.shift();
      if (next === undefined) break;
      if (jobs.get(next.key) === next.job) void run(next.key, next.input);
    }
    if (running > 0) return;
    for (const resolve of onSettled) resolve();
    onSettled = [];
  };

  const run = async (key: string, input: Input): Promise<void> => {
    const job: BackgroundState = { state: "running" };
    jobs.set(key, job);
    running++;
    const outcome = await outcomeOf(summarizer, input);
    running--;
    // The key may have been forgotten and requested again in the meantime.
    if (jobs.get(key) === job) {
      jobs.set(key, outcome);
      if (outcome.state === "failed") onFailure?.(key, outcome.error);
    }
    startNext();
  };

  return {
    request(key, input) {
      const known = jobs.get(key)?.state;
      if (known !== undefined && known !== "failed") return;
      const job: BackgroundState = { state: "waiting" };
      jobs.set(key, job);
      waiting.push({ key, input, job });
      startNext();
    },
    ready(key) {
      const job = jobs.get(key);
      return job?.state === "ready" ? job.summary : undefined;
    },
    stateOf: (key) => jobs.get(key),
    forget: (key) => void jobs.delete(key),
    settled: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => onSettled.push(resolve))),
  };
}

async function outcomeOf(summarizer: Summarizer, input: Input): Promise<BackgroundState> {
  try {
    return { state: "ready", summary: await summarizer(input) };
  } catch (error) {
    return { state: "failed", error };
  }
}
