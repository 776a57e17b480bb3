import { blockAt, type ToolUseBlock } from "../../messages/message.ts";
import { parseLog } from "../../messages/parse-messages.ts";
import { responseAround } from "../../passes/hold-back.ts";
import type { ThreadState } from "./thread-state.ts";
import type { AssistantOutcome } from "./thread.ts";

/** Returns what `assistant` said to do next, from the thread alone. Calls of our own tools already have their results. */
export function nextIn({ log: messages, held }: Pick<ThreadState, "log" | "held">): AssistantOutcome {
  const { log, index } = parseLog(messages);
  const last = log.at(-1);
  if (last?.role !== "assistant") return { next: last === undefined ? "user" : "request", calls: [] };
  const { from } = responseAround(log, log.length - 1);
  const open = index.calls.filter((call) => call.position >= from && call.result === undefined);
  const answered = held.map((result) => result.tool_use_id);
  const calls = open.flatMap((call) => {
    const place = answered.indexOf(call.id);
    if (place !== -1) answered.splice(place, 1);
    return call.server || place !== -1 ? [] : [blockAt(log, call) as ToolUseBlock];
  });
  if (calls.length > 0) return { next: "tools", calls };
  // The provider has not finished one of its own tools (A1.8).
  return { next: open.some(({ server }) => server) ? "request" : "user", calls: [] };
}
