import { blocksOf, isServerCall, isServerResult, isToolResult, isToolUse, type Message } from "./message.ts";

/** Does the user message continue the assistant's turn, because it answers a call? */
export function answersCalls(message: Message): boolean {
  return message.role === "user" && typeof message.content !== "string" && message.content.some(isToolResult);
}

/** The assistant stopped in the middle, because a provider-run tool takes long (`pause_turn`): before its result or behind it. */
function isPaused(message: Message): boolean {
  if (typeof message.content === "string") return false;
  const end = message.content.at(-1);
  if (end !== undefined && isServerResult(end)) return true;
  const results = new Set(message.content.filter(isServerResult).map((block) => block.tool_use_id));
  return message.content.some((block) => isServerCall(block) && !results.has(block.id));
}

/**
 * A tool loop is the assistant's messages and the results between them since the last user message that answers no call:
 * to the provider one assistant turn (A4.1). For every length of the log: the first position of the loop that is open
 * there, or -1 where the turn is over.
 */
export function openLoops(log: readonly Message[]): Int32Array {
  const starts = new Int32Array(log.length + 1).fill(-1);
  let start = -1;
  let open = false;
  let callsInTurn = false;
  for (let position = 0; position < log.length; position++) {
    const message = log[position];
    if (message?.role === "assistant") {
      if (start === -1) start = position;
      callsInTurn = (callsInTurn && log[position - 1]?.role === "assistant") || blocksOf(message).some(isToolUse);
      open = callsInTurn || isPaused(message);
    } else if (message?.role === "user") {
      // Neighbouring user messages are one turn (A1.3): text in a message of its own does not end the loop that results before it continue.
      const sameTurn: boolean = open && log[position - 1]?.role === "user";
      open = start !== -1 && (sameTurn || answersCalls(message));
      if (!open) start = -1;
    }
    starts[position + 1] = open ? start : -1;
  }
  return starts;
}

/** The first position of the loop that is open at the end of the log, or undefined. */
export function openLoop(log: readonly Message[]): number | undefined {
  const start = isLoopOpen(log) ? (openLoops(log)[log.length] ?? -1) : -1;
  return start === -1 ? undefined : start;
}

/** `openLoops`, but only worked out when it is asked for a length at which a loop may be open. */
export function loopLookup(log: readonly Message[]): (length: number) => number {
  let loops: Int32Array | undefined;
  const isOver = !isLoopOpen(log);
  return (length) => {
    if (length === log.length && isOver) return -1;
    loops ??= openLoops(log);
    return loops[length] ?? -1;
  };
}

/** Is a loop open at the end of the log? Looks at the last turn only. */
export function isLoopOpen(log: readonly Message[]): boolean {
  const last = log.findLastIndex((message) => message.role !== "system");
  const role = log[last]?.role;
  const before = log.findLastIndex((message, position) => position < last && message.role !== role);
  const turn = log.slice(before + 1, last + 1);
  const [start] = turn;
  if (start?.role !== "user") return turn.some((message) => blocksOf(message).some(isToolUse)) || turn.slice(-1).some(isPaused);
  const answered = log.findLastIndex((message, position) => position <= before && message.role !== "system");
  return answersCalls(start) && log[answered]?.role === "assistant";
}
