import type { Message } from "../src/index.ts";
import { withCheckpoints } from "./threads/checkpoints.ts";
import { throughJson } from "./threads/through-json.ts";

/** The purpose of an operation. Only operations with a common job are compared. */
export type Job = "shorten results" | "take out old calls" | "drop the older half" | "replace a range";

/** The timed part of one run; all preparation is done before it exists. */
export type Timed = () => unknown;

/** An operation together with the thread it works on, in the operation's own message format. */
export interface Loaded {
  /** Called before every run, outside the measured time: copies the input if a run would change it. */
  arm(): Timed;
  /** Another copy of the input, elsewhere in memory. */
  renew(): void;
  /** Runs once and returns what changed. Throws `WorkNotDone` if the claimed work was not done or the input was changed. */
  check(): Promise<string>;
}

export interface Subject {
  readonly name: string;
  readonly jobs: readonly Job[];
  /** A peer's operation without the peer's own conversion from and to Anthropic's messages; shown beside the one with it. */
  readonly isBare: boolean;
  load(messages: readonly Message[]): Loaded;
}

export interface SubjectSpec<Input, Output> {
  readonly name: string;
  readonly jobs: readonly Job[];
  readonly isBare?: boolean;
  /** From the canonical messages to the operation's own; never measured. */
  convert(messages: readonly Message[]): Input;
  /** Only for operations that change their input. */
  copy?(input: Input): Input;
  run(input: Input): Output | Promise<Output>;
  /** Describes the change, or throws `WorkNotDone`. */
  check(before: Input, after: Output): string;
}

export class WorkNotDone extends Error {
  constructor(subject: string, found: string) {
    super(`${subject} did not do the work that is measured: ${found}`);
    this.name = "WorkNotDone";
  }
}

export function createSubject<Input, Output>(spec: SubjectSpec<Input, Output>): Subject {
  const copy = spec.copy?.bind(spec);
  return {
    name: spec.name,
    jobs: spec.jobs,
    isBare: spec.isBare ?? false,
    load(given) {
      const messages = threadFor(spec.jobs, given);
      // A copy for each, so that no operation finds the messages in the processor's caches because of another.
      let input = spec.convert(throughJson(messages));
      const runOnInput = (): unknown => spec.run(input);
      return {
        arm() {
          if (copy === undefined) return runOnInput;
          const own = copy(input);
          return () => spec.run(own);
        },
        renew() {
          input = spec.convert(throughJson(messages));
        },
        async check() {
          const own = copy === undefined ? input : copy(input);
          const before = JSON.stringify(input);
          const did = spec.check(input, await spec.run(own));
          expectWork(JSON.stringify(input) === before, spec.name, "it changed the messages that it was given");
          return did;
        },
      };
    },
  };
}

/** Returns the same thread for all operations of a job. A range is replaced in a thread with checkpoints, which peers see as user text. */
function threadFor(jobs: readonly Job[], messages: readonly Message[]): readonly Message[] {
  return jobs.includes("replace a range") ? withCheckpoints(messages) : messages;
}

/** Runs the same operation on a new copy of the thread each time, which shows what repeated runs on one input might hide. */
export function withFreshInputs(subject: Subject): Subject {
  return {
    ...subject,
    load(messages) {
      const loaded = subject.load(messages);
      return {
        arm: () => subject.load(messages).arm(),
        renew: () => undefined,
        check: () => loaded.check(),
      };
    },
  };
}

/** Throws unless `condition` holds. */
export function expectWork(condition: boolean, subject: string, found: string): void {
  if (!condition) throw new WorkNotDone(subject, found);
}
