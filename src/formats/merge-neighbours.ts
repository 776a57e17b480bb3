import { blocksOf, type Message } from "../messages/message.ts";

/**
 * Merges neighbours of one role, for providers that require alternating roles. A view has such neighbours where something
 * between them was removed, or a summary was inserted.
 */
export function mergeNeighbours(messages: readonly Message[]): Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === message.role && message.role !== "system") merged[merged.length - 1] = { ...last, content: [...blocksOf(last), ...blocksOf(message)] };
    else merged.push(message);
  }
  return merged;
}
