import { EMPTY } from "../edits/blank.ts";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import { indexLog } from "../messages/index-log.ts";
import { blocksOf, isThinking, type Message, type ToolResultBlock } from "../messages/message.ts";
import { parseLog } from "../messages/parse-messages.ts";
import { openLoop } from "../messages/tool-loop.ts";
import type { TargetedLog } from "../stateless/render-once.ts";

/**
 * Throws if an open loop would lose its first thinking: in manual mode, a turn that results continue has to start with thinking (A4.2).
 * Checks the view, because two loops of the log become one in a view without the messages between them.
 */
export function refuseLostLoopStart({ log, target }: TargetedLog, view: readonly Message[]): void {
  if (target.thinking !== "manual" || !lacksStart(view) || lacksStart(log)) return;
  throw new PalimpsestError("LOOP_OPEN", "The open tool loop would lose the thinking that it has to start with. Compact when the turn is over.", {
    before: log.length,
  });
}

/** Returns whether the error says that text would come where a provider-run call still waits for its result. */
export function isLoopOpen(error: unknown): boolean {
  return PalimpsestError.isInstance(error) && error.code === "LOOP_OPEN";
}

/** Returns the log as it will be once the calls at its end have their results: only then does the provider read it. */
export function withAnswers(call: TargetedLog): TargetedLog {
  const { calls } = call.index;
  const open = calls.filter(({ server, result, position }) => !server && result === undefined && position === call.log.length - 1);
  if (open.length === 0) return call;
  const results = open.map(({ id }): ToolResultBlock => ({ type: "tool_result", tool_use_id: id, content: EMPTY }));
  const log: readonly Message[] = [...call.log, { role: "user", content: results }];
  return { ...call, ...parseLog(log) };
}

function lacksStart(messages: readonly Message[]): boolean {
  const start = messages.at(-1)?.role === "user" ? openLoop(indexLog(messages)) : undefined;
  const first = start === undefined ? undefined : messages[start];
  return first !== undefined && !isThinking(blocksOf(first)[0] ?? { type: "text" });
}
