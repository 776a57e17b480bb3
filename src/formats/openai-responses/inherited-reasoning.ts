import type { Message } from "../../messages/message.ts";
import type { ResponseItem } from "./response-item.ts";

/**
 * Outputs may stand between the calls of one response, so items without their own reasoning may need the reasoning before
 * those outputs (C4). It is stored under a symbol, so that a changed copy of the message keeps it.
 */
const INHERITED: unique symbol = Symbol("palimpsest.inherited-reasoning");

type Inheriting = Message & { [INHERITED]?: ResponseItem };

/** Marks a message that `decode` has just created. */
export function inheriting(message: Message, reasoning: ResponseItem | undefined): Message {
  if (reasoning !== undefined) (message as Inheriting)[INHERITED] = reasoning;
  return message;
}

/** Returns the last reasoning before the message, if only the model and its tools have spoken since. */
export function inheritedReasoning(message: Message): ResponseItem | undefined {
  return (message as Inheriting)[INHERITED];
}
