import { isRecord } from "../../errors/is-record.ts";
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

/** For an object or array itself, and each of its fields. */
const OBJECT_BYTES = 64;

/** Returns about what a message takes in memory. Texts that V8 keeps in one byte a character are most of it. */
export function bytesOfMessage(message: Message): number {
  return bytesOfValue(message.content);
}

function bytesOfValue(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + bytesOfValue(each), OBJECT_BYTES);
  if (!isRecord(value)) return 8;
  return Object.values(value).reduce((sum: number, each) => sum + bytesOfValue(each), OBJECT_BYTES);
}
