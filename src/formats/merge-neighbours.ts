import { blocksOf, type Message } from "../messages/message.ts";

/**
 * For providers that want the user and the assistant to take turns: neighbours of one role become one message. A view has
 * such neighbours where something between them was taken out, or a summary was put in.
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
