import type { Message } from "../messages/message.ts";

/** System messages at the start are the head of the request, in formats that have no other place for it: no function takes them out or counts them. */
export function headLength(log: readonly Message[]): number {
  const first = log.findIndex((message) => message.role !== "system");
  return first === -1 ? log.length : first;
}
