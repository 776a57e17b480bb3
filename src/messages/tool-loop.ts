import { NO_LOOP, type LogIndex } from "./index-log.ts";
import { isToolResult, type Message } from "./message.ts";

/** Says whether the user message continues the assistant's turn, because it answers a call. */
export function answersCalls(message: Message): boolean {
  return message.role === "user" && typeof message.content !== "string" && message.content.some(isToolResult);
}

/** Returns the first position of the loop that is open at the end of the log, if any. */
export function openLoop({ loops }: LogIndex): number | undefined {
  const start = loops.at(-1) ?? NO_LOOP;
  return start === NO_LOOP ? undefined : start;
}
