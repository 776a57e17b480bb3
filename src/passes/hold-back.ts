import type { Message } from "../messages/message.ts";
import { bindsPrefix } from "../messages/target.ts";
import { openLoop } from "../messages/tool-loop.ts";
import type { PassContext } from "./pass.ts";

/** A stretch of positions, both inclusive. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the stretch in which nothing may change. In manual mode the turn that results continue has to start with its thinking (A4.2), so
 * nothing may remove this thinking: if thinking is bound, nothing before it may change (A4.8); if not, nothing in the loop itself.
 */
export function frozenStretch(log: readonly Message[], { target, index }: PassContext): Stretch | undefined {
  if (target.thinking !== "manual") return undefined;
  const loopStart = openLoop(index);
  const lastThinking = index.thinking.at(-1)?.position;
  if (loopStart === undefined || lastThinking === undefined || lastThinking < loopStart) return undefined;
  return { from: bindsPrefix(target) ? 0 : loopStart, to: responseAround(log, lastThinking).to };
}

export function isFrozen(stretch: Stretch | undefined, position: number): boolean {
  return stretch !== undefined && position >= stretch.from && position <= stretch.to;
}

/** Returns the first position of the round that the assistant has not answered yet; the log's length if there is none. */
export function newestRound(log: readonly Message[], { index }: PassContext): number {
  return (openLoop(index) === undefined ? undefined : newestResponse(log)?.from) ?? log.length;
}

/** Returns the assistant's newest messages, before a position if one is given: neighbours are one response (A1.3). */
export function newestResponse(log: readonly Message[], before: number = log.length): Stretch | undefined {
  const last = log.findLastIndex(({ role }, position) => position < before && role === "assistant");
  return last < 0 ? undefined : responseAround(log, last);
}

/** Returns the neighbouring messages of the same role around a position. */
export function responseAround(log: readonly Message[], position: number): Stretch {
  const role = log[position]?.role;
  let from = position;
  while (from > 0 && log[from - 1]?.role === role) from--;
  let to = position;
  while (to < log.length - 1 && log[to + 1]?.role === role) to++;
  return { from, to };
}
