import type { Message } from "../messages/message.ts";

/** Counts the system messages at the start. In some formats they are the head of the request, so no function removes or counts them. */
export function headLength(log: readonly Message[]): number {
  const first = log.findIndex((message) => message.role !== "system");
  return first === -1 ? log.length : first;
}
