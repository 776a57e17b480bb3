import { toldCall } from "../../content/files/ledger.ts";
import type { LogIndex } from "../../messages/index-log.ts";
import { blocksOf, isText, isToolUse, type Message } from "../../messages/message.ts";
import { outlinedCall } from "../../text/outline/outlined-call.ts";
import { changesPlan, isPlanCall, planLines, type Act } from "../../text/outline/plan.ts";
import type { Digestible } from "../digestible.ts";

/** What told a plan of the assistant's, or changed it. */
export interface PlanAct {
  readonly position: number;
  readonly act: Act;
}

/** All of a log, in their order. Sought once for all its digests. */
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

/** The plan as it was at the end of the stretch, if anything in it changed it: else another message shows it. Tasks may have been made before. */
export function planOf(acts: readonly PlanAct[], { from, to }: Digestible): string[] {
  if (!acts.some(({ position }) => position >= from && position < to)) return [];
  const lines = planLines(acts.filter(({ position }) => position < to).map(({ act }) => act));
  const isChanged = acts.some(({ position }) => position >= to);
  return lines.length === 0 ? [] : [isChanged ? "Plan at that time:" : "Plan:", ...lines];
}
