import { toldCall } from "../../content/files/ledger.ts";
import type { LogIndex } from "../../messages/index-log.ts";
import { blocksOf, isText, isToolUse, type Message } from "../../messages/message.ts";
import { outlinedCall } from "../../text/outline/outlined-call.ts";
import { changesPlan, isPlanCall, planLines, type Act } from "../../text/outline/plan.ts";
import type { Digestible } from "../digestible.ts";

/** A call that stated or changed the assistant's plan. */
export interface PlanAct {
  readonly position: number;
  readonly act: Act;
}

/** Returns all of a log, in order. Found once for all of its digests. */
export function planActsIn(log: readonly Message[], { calls, callsBefore }: LogIndex): PlanAct[] {
  return log.flatMap((message, position) => (message.role === "assistant" ? actsAt(position, message) : [])).filter(({ act }) => changesPlan(act));

  function actsAt(position: number, message: Message): PlanAct[] {
    return blocksOf(message).flatMap((block, number): PlanAct[] => {
      if (isText(block)) return [{ position, act: block.text }];
      if (!isToolUse(block) || !isPlanCall(block.name, block.input)) return [];
      const call = calls.slice(callsBefore[position], callsBefore[position + 1]).find((each) => each.block === number);
      return call === undefined ? [] : [{ position, act: outlinedCall(toldCall(log, call)) }];
    });
  }
}

/** Returns the plan at the end of the stretch if the stretch changed it: otherwise another message shows it. Tasks may be older. */
export function planOf(acts: readonly PlanAct[], { from, to }: Digestible): string[] {
  if (!acts.some(({ position }) => position >= from && position < to)) return [];
  const lines = planLines(acts.filter(({ position }) => position < to).map(({ act }) => act));
  const isChanged = acts.some(({ position }) => position >= to);
  return lines.length === 0 ? [] : [isChanged ? "Plan at that time:" : "Plan:", ...lines];
}
