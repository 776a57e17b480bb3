import type { Trajectory } from "../../../formats/transcripts/load-transcript.ts";
import type { MessageEntry } from "../../../formats/transcripts/transcript-format.ts";
import type { StepToRecord } from "../../../history/index.ts";
import type { Usage } from "../../../messages/usage.ts";
import { recordedCalls } from "../../../replay/recorded-calls.ts";
import type { ReportedUsage } from "../../../stateless/input-tokens-of.ts";

/** Returns the time of each message; one without a time takes that of the one before it. Undefined: the file has no times. */
export function timesOf(trajectory: Trajectory): readonly number[] | undefined {
  const times = messagesOf(trajectory).map(({ atMs }) => atMs);
  let last = times.find((time) => time !== undefined);
  if (last === undefined) return undefined;
  const known: number[] = [];
  for (const time of times) known.push((last = time ?? last));
  return known;
}

/** Returns the calls whose model and time the file has. */
export function stepsOf(trajectory: Trajectory): readonly StepToRecord[] {
  if (trajectory.model === undefined) return [];
  const messages = messagesOf(trajectory);
  return recordedCalls(trajectory, 0, undefined).flatMap(({ position, action, model, atMs }) => {
    if (atMs === undefined) return [];
    const usage = messages.slice(position, position + action.length).findLast((message) => message.usage !== undefined)?.usage;
    return [{ upTo: position, model, atMs, ...(usage === undefined ? {} : { usage: reported(usage) }) }];
  });
}

function messagesOf({ entries }: Trajectory): MessageEntry[] {
  return entries.filter((entry) => entry.kind === "message");
}

function reported({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): ReportedUsage {
  return {
    input_tokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    cache_read_input_tokens: cacheReadTokens,
    cache_creation_input_tokens: cacheWriteTokens,
  };
}
