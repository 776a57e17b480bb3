import type { Message } from "../../messages/message.ts";
import { messageTokens } from "../../tokens/message-tokens.ts";

/** Most messages of a view are those of the view before: each is measured once. */
const sizes = new WeakMap<Message, number>();

export function sizeOf(message: Message): number {
  const known = sizes.get(message);
  if (known !== undefined) return known;
  const size = messageTokens(message);
  sizes.set(message, size);
  return size;
}

export function sizeOfAll(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + sizeOf(message), 0);
}
