import { NO_LOOP, type LogIndex } from "./index-log.ts";
import { isToolResult, type Message } from "./message.ts";

/** Does the user message continue the assistant's turn, because it answers a call? */
export function answersCalls(message: Message): boolean {
  return message.role === "user" && typeof message.content !== "string" && message.content.some(isToolResult);
}

/** The first position of the loop that is open at the end of the log, or undefined. */
export function openLoop({ loops }: LogIndex): number | undefined {
  const start = loops.at(-1) ?? NO_LOOP;
  return start === NO_LOOP ? undefined : start;
}
