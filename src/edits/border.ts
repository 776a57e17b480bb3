import { blockCount, type Message } from "../messages/message.ts";
import type { Place } from "../messages/place.ts";

/** "Just behind the last block" and "before the next message" are the same border. */
export function borderOf(log: readonly Message[], at: Place): Place {
  const message = log[at.position];
  return message !== undefined && at.block > 0 && at.block >= blockCount(message) ? { position: at.position + 1, block: 0 } : at;
}
