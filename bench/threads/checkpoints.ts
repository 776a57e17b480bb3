import type { Message } from "../../src/index.ts";
import { blocksOf, textBlock } from "./parts.ts";

/** The thread as an agent with checkpoints keeps it: a checkpoint as the last block of every user message. */
export function withCheckpoints(messages: readonly Message[]): Message[] {
  return messages.map((message, position) => {
    if (message.role !== "user") return message;
    return { ...message, content: [...blocksOf(message), textBlock(`<checkpoint:${checkpointId(position)}>`)] };
  });
}

/** Six of `[a-z0-9]`, one per position. */
export function checkpointId(position: number): string {
  return position.toString(36).padStart(6, "0");
}
