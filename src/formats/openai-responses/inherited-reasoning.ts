import type { Message } from "../../messages/message.ts";
import type { ResponseItem } from "./response-item.ts";

/**
 * Outputs may stand between the calls of one response, so items without reasoning of their own may still need the one
 * before those outputs (C4). It lies under a symbol, so that a changed copy of the message takes it along.
 */
const INHERITED: unique symbol = Symbol("palimpsest.inherited-reasoning");

type Inheriting = Message & { [INHERITED]?: ResponseItem };

/** Marks a message that `decode` has just made. */
export function inheriting(message: Message, reasoning: ResponseItem | undefined): Message {
  if (reasoning !== undefined) (message as Inheriting)[INHERITED] = reasoning;
  return message;
}

/** The last reasoning before the message since anyone but the tools has spoken. */
export function inheritedReasoning(message: Message): ResponseItem | undefined {
  return (message as Inheriting)[INHERITED];
}
