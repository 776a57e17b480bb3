import type { Trajectory } from "../formats/transcripts/load-transcript.ts";
import type { Message } from "../messages/message.ts";
import { DEFAULT_MODEL } from "./counted-as.ts";

/** A call of the model that a file recorded. */
export interface RecordedCall {
  /** The position of the response in the log. */
  readonly position: number;
  /** The response: one message, or neighbours. */
  readonly action: readonly Message[];
  readonly model: string;
  /** The time according to the file. Times may run backwards. */
  readonly atMs?: number;
}

/** Returns every response that answers something; an assistant message at the very start is not a model call. */
export function recordedCalls({ log, entries, model: first }: Trajectory, from: number, asked: string | undefined): RecordedCall[] {
  const facts = entries.filter((entry) => entry.kind === "message");
  const calls: RecordedCall[] = [];
  let model = first;
  for (let position = from; position < log.length; position++) {
    if (log[position]?.role !== "assistant" || log[position - 1]?.role === "assistant") continue;
    let end = position + 1;
    while (log[end]?.role === "assistant") end++;
    model = facts[position]?.model ?? model;
    if (position === from) continue;
    // A request is sent when the newest message before it exists; some files have only the times of answers.
    const atMs = facts[position - 1]?.atMs ?? facts[position]?.atMs;
    calls.push({
      position,
      action: log.slice(position, end),
      model: asked ?? model ?? DEFAULT_MODEL,
      ...(atMs === undefined ? {} : { atMs }),
    });
  }
  return calls;
}
