import type { Agent } from "./agent.ts";
import type { Ended, RunningProxy } from "./processes.ts";
import { FINISHED } from "./play-tasks.ts";
import type { Session } from "./run.ts";
import type { Scratch } from "./workspace.ts";

/** Something that an agent goes through, without us and with the proxy. */
export interface Scenario {
  readonly name: string;
  readonly about: string;
  readonly isFor: (agent: Agent) => boolean;
  readonly run: (agent: Agent, scratch: Scratch) => Promise<Outcome>;
}

export interface Outcome {
  readonly checks: readonly Check[];
  readonly numbers: Readonly<Record<string, number>>;
}

export interface Check {
  readonly name: string;
  /** `unavailable`: what it needs is not there. That is not a pass. */
  readonly state: "passed" | "failed" | "unavailable";
  readonly detail: string;
}

export const WITHOUT_US = undefined;
export const IN_MEMORY: readonly string[] = ["--store", "memory"];

export function check(name: string, isRight: boolean, detail: string): Check {
  return { name, state: isRight ? "passed" : "failed", detail };
}

export function isFinished({ code, output }: Ended): boolean {
  return code === 0 && output.includes(FINISHED);
}

export function checkFinished(name: string, ended: Ended): Check {
  const why = ended.isTooLong ? "it took too long" : `exit code ${ended.code}`;
  return check(name, isFinished(ended), isFinished(ended) ? "" : `${why}; it said: ${ended.output.slice(-500)}`);
}

/** What the proxy said on standard error, without what it says of every model that it does not know. */
export function complaintsOf(proxy: RunningProxy): readonly string[] {
  return proxy
    .complaints()
    .split("\n")
    .filter((line) => line !== "" && !line.includes("is not in the price table"));
}

/** No request broke a rule of the provider, and the proxy had no failure of its own. */
export function checkValid(name: string, { double, proxy }: Session): readonly Check[] {
  const [first] = double.rejected;
  const found = first === undefined ? "" : `${double.rejected.length} of ${double.requests.length}, the first: ${first.rule} ${first.error}`;
  const complaints = proxy === undefined ? [] : complaintsOf(proxy);
  return [
    check(`${name}: the provider refuses nothing`, first === undefined, found),
    ...(proxy === undefined ? [] : [check(`${name}: the proxy complains of nothing`, complaints.length === 0, complaints.slice(0, 3).join("; "))]),
  ];
}
