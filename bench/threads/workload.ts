import type { Message } from "../../src/index.ts";

/** Threads that are measured together: the time of a run is the time for all of them. */
export interface Workload {
  readonly name: string;
  readonly threads: readonly (readonly Message[])[];
}

export function describeWorkload({ name, threads }: Workload): string {
  const messages = threads.reduce((sum, thread) => sum + thread.length, 0);
  const results = threads.reduce((sum, thread) => sum + countResults(thread), 0);
  const megabytes = threads.reduce((sum, thread) => sum + JSON.stringify(thread).length, 0) / 1e6;
  const parts = [plural(threads.length, "thread"), plural(messages, "message"), plural(results, "tool result"), `${megabytes.toFixed(1)} MB of JSON`];
  return `${name}: ${parts.join(", ")}`;
}

export function countResults(messages: readonly Message[]): number {
  let count = 0;
  for (const { content } of messages) {
    if (typeof content === "string") continue;
    for (const block of content) if (block.type === "tool_result") count++;
  }
  return count;
}

function plural(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
