import type { Message } from "../src/index.ts";
import { withCheckpoints } from "./threads/checkpoints.ts";
import { throughJson } from "./threads/through-json.ts";

/** What an operation is for. Only operations with a job in common are compared as like with like. */
export type Job = "shorten results" | "take out old calls" | "drop the older half" | "replace a range";

/** The timed part of one run; all preparation is done before it exists. */
export type Timed = () => unknown;

/** An operation together with the thread it works on, in the operation's own message format. */
export interface Loaded {
  /** Called before every run, outside the measured time: copies the input where a run would spoil it. */
  arm(): Timed;
  /** Another copy of the input, elsewhere in memory. */
  renew(): void;
  /** Runs once and says what changed. Throws `WorkNotDone` if it was not the work that is claimed, or if the input was changed. */
  check(): Promise<string>;
}

export interface Subject {
  readonly name: string;
  readonly jobs: readonly Job[];
  /** A peer's operation without the conversion from and to Anthropic's messages that the peer brings along: shown beside the one with it. */
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
      // A copy for everybody: nobody finds the messages in the processor's caches because somebody else has just read them.
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

/** The same thread for all that do a job. A range is replaced in a thread with checkpoints; for peers these are words of the user's. */
function threadFor(jobs: readonly Job[], messages: readonly Message[]): readonly Message[] {
  return jobs.includes("replace a range") ? withCheckpoints(messages) : messages;
}

/** The same operation on a copy of the thread in every run: shows what repeated runs on one input might hide. */
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
