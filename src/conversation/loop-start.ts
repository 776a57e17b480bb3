import { PalimpsestError } from "../errors/palimpsest-error.ts";
import { indexLog } from "../messages/index-log.ts";
import { blocksOf, isThinking, type Message } from "../messages/message.ts";
import { openLoop } from "../messages/tool-loop.ts";
import type { OneCall } from "../stateless/render-once.ts";

/**
 * In manual mode a turn that results continue has to start with thinking (A4.2). Two loops of the log may be one in the view, where
 * the answer or the words between them are gone: so it is the view that is asked.
 */
export function refuseLostLoopStart({ log, target }: OneCall, view: readonly Message[]): void {
  if (target.thinking !== "manual" || !lacksStart(view) || lacksStart(log)) return;
  throw new PalimpsestError("LOOP_OPEN", "The open tool loop would lose the thinking that it has to start with. Compact when the turn is over.", {
    before: log.length,
  });
}

function lacksStart(messages: readonly Message[]): boolean {
  const start = messages.at(-1)?.role === "user" ? openLoop(indexLog(messages)) : undefined;
  const first = start === undefined ? undefined : messages[start];
  return first !== undefined && !isThinking(blocksOf(first)[0] ?? { type: "text" });
}
