import type { SeenRequest, Turn } from "../../src/testing/index.ts";
import type { Place } from "./agent.ts";
import type { Task } from "./task.ts";

/** Of the call that the model makes in a step, as it comes back with the result. */
export function callId(task: string, step: number): string {
  return `call_${task}_${String(step).padStart(3, "0")}`;
}

/** The last thing that the model says. */
export const FINISHED = "All steps are done.";
/** What each result looked like when the model saw it for the first time, by the id of its call. */
export type FirstSights = ReadonlyMap<string, string>;

/** The same, and notes what the model sees. */
export function watched(script: (request: SeenRequest) => Turn): { readonly script: (request: SeenRequest) => Turn; readonly firstSights: FirstSights } {
  const firstSights = new Map<string, string>();
  return {
    firstSights,
    script(request) {
      for (const { callId: id, text } of request.messages.flatMap(({ results }) => results)) if (!firstSights.has(id)) firstSights.set(id, text);
      return script(request);
    },
  };
}

/**
 * A model that goes through tasks. It keeps no state: what comes next stands in the request itself, in the ids of the calls that have results,
 * so that retries, sub-agents, continued sessions and killed processes need nothing.
 */
export function playTasks(tasks: readonly Task[], place: Place): (request: SeenRequest) => Turn {
  const failed = new Map<string, number>();
  return (request) => {
    const task = taskOf(request, tasks);
    if (task === undefined) return { text: "A short title" };
    const done = stepsDone(request, task.name);
    if (isSideCall(request)) return { text: `<summary>What was to be done before is done. [progress ${task.name} ${done}]</summary>` };
    const step = task.steps[done];
    if (step === undefined) return { thinking: "Nothing is left.", text: FINISHED };
    const id = callId(task.name, done + 1);
    const times = failed.get(id) ?? 0;
    const isFailing = step.fault !== undefined && times < step.fault.times;
    if (isFailing) failed.set(id, times + 1);
    return {
      thinking: `Step ${done + 1} of ${task.steps.length}.`,
      text: done % 5 === 0 ? `Step ${done + 1}.` : "",
      calls: [{ id, ...step.call(request, place) }],
      ...(isFailing ? { fault: step.fault.fault } : {}),
    };
  };
}

/** Summaries and titles: agents ask for them without tools, or with a command that has these words. */
function isSideCall({ tools, messages }: SeenRequest): boolean {
  if (tools.length === 0) return true;
  const last = messages.at(-1);
  return last?.role === "user" && /respond with text only|(detailed|handoff|context) (summary|checkpoint)|summarize the conversation/i.test(last.text);
}

/** The last one that is named or worked on: a sub-agent may be shown what its parent was asked, and a digest what a sub-agent was. */
function taskOf({ messages, system }: SeenRequest, tasks: readonly Task[]): Task | undefined {
  const told = messages.flatMap(({ role, text, results }) => [...(role === "assistant" ? [] : [text]), ...results.map(({ callId: id }) => id)]);
  const names = [system, ...told].flatMap((text) =>
    [...text.matchAll(/\[(?:task|progress) (\w+?)[ \]]|call_([a-z]+)_\d/g)].map(([, named, called]) => named ?? called),
  );
  return tasks.find(({ name }) => name === names.at(-1));
}

function stepsDone({ messages, system }: SeenRequest, task: string): number {
  const ids = messages.flatMap(({ results }) => results.map(({ callId: id }) => id));
  const steps = ids.flatMap((id) => Number(new RegExp(`call_${task}_(\\d+)`).exec(id)?.[1] ?? 0));
  const told = [system, ...messages.map(({ text }) => text)].flatMap((text) =>
    [...text.matchAll(new RegExp(`\\[progress ${task} (\\d+)\\]`, "g"))].map(([, step]) => Number(step)),
  );
  return Math.max(0, ...steps, ...told);
}
