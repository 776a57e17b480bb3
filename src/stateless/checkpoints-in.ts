import { placedCheckpoints } from "../messages/checkpoint.ts";
import type { Message } from "../messages/message.ts";
import { parseLog } from "../messages/parse-messages.ts";

/** Returns the checkpoints of a thread, in order. An id that is listed twice cannot be used in `compactThread`. */
export function checkpointsIn(messages: readonly Message[]): { id: string; position: number }[] {
  const { log, index } = parseLog(messages);
  return placedCheckpoints(log, index).map(({ id, position }) => ({ id, position }));
}
