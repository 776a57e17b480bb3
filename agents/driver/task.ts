import type { Fault } from "../../src/testing/index.ts";
import type { Agent, CallMaker } from "./agent.ts";
import { fileName, FILES, revisionLine } from "./workspace.ts";

/** What a scripted model does in one conversation, one call after the other. */
export interface Task {
  readonly name: string;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly call: CallMaker;
  /** Results up to so many tokens are to be seen whole. */
  readonly wholeUpTo: number;
  /** Instead of the answer with this call, the first `times` times. */
  readonly fault?: { readonly fault: Fault; readonly times: number };
}

/** The limits of first sight of the policy `balanced`. */
const WHOLE_RESULT = 4_000;
const WHOLE_FILE = 12_000;
const HELPER_STEPS = 6;
export const MAIN = "main";
const HELPER = "helper";

/** What an agent is asked to do, so that the script knows the conversation again. */
export function promptFor(task: string): string {
  return `[task ${task}] Go through the parts of this repository step by step, and say when you are done.`;
}

export function stepsOf(agent: Agent, count: number, delegates: boolean): readonly Step[] {
  const delegated = delegates && agent.delegate !== undefined ? agent.delegate(promptFor(HELPER)).map((call): Step => ({ call, wholeUpTo: WHOLE_RESULT })) : [];
  const own = Array.from({ length: count - delegated.length }, (_, index) => stepOf(agent, index));
  const middle = Math.floor(own.length / 3);
  return [...own.slice(0, middle), ...delegated, ...own.slice(middle)];
}

/** Reads a file, checks it, changes it, reads it again; then the next one. */
function stepOf(agent: Agent, index: number): Step {
  const number = Math.floor(index / 4);
  const file = fileName(number);
  const revision = Math.floor(number / FILES);
  switch (index % 4) {
    case 0:
      return { call: agent.read(file), wholeUpTo: agent.readsFiles ? WHOLE_FILE : WHOLE_RESULT };
    case 1:
      return { call: agent.run(`sh check.sh ${number} ${20 + ((number * 37) % 120)}`), wholeUpTo: WHOLE_RESULT };
    case 2:
      return { call: agent.edit({ file, from: revisionLine(revision), to: revisionLine(revision + 1) }), wholeUpTo: WHOLE_RESULT };
    default:
      return { call: agent.run(`grep -n 'step .*7$' ${file} | head -n 60`), wholeUpTo: WHOLE_RESULT };
  }
}

export function tasksOf(agent: Agent, count: number): readonly Task[] {
  return [
    { name: MAIN, steps: stepsOf(agent, count, true) },
    { name: HELPER, steps: stepsOf(agent, HELPER_STEPS, false) },
  ];
}

/** One that only waits, so that something can happen between two requests. */
export function pause(agent: Agent, seconds: number): Step {
  return { call: agent.run(`sleep ${seconds}; echo waited`), wholeUpTo: WHOLE_RESULT };
}
