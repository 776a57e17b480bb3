import { randomUUID } from "node:crypto";
import type { UnfinishedImport } from "./store.ts";

/**
 * A thread that is being imported is written under a temporary id, and gets its name when it is complete. Ids with this prefix
 * are never listed among the threads. Each has a random part, so that two imports of one thread never collide, and resuming an
 * unfinished import gives it a new id, so that its previous writer can write nothing more.
 */
export const UNFINISHED = "\u0001unfinished\u0001";

const SEPARATOR = "\u0001";
const PARTS = new RegExp(`^${UNFINISHED}(\\d+)${SEPARATOR}[^${SEPARATOR}]*${SEPARATOR}([\\s\\S]*)$`);

export function isUnfinished(id: string): boolean {
  return id.startsWith(UNFINISHED);
}

/** Returns the temporary id of a new import of `thread`. */
export function unfinishedId(thread: string): string {
  return [`${UNFINISHED}${Date.now()}`, randomUUID(), thread].join(SEPARATOR);
}

/** Returns the name that an unfinished thread will get. */
export function nameToBe(id: string): string {
  return PARTS.exec(id)?.[2] ?? id;
}

export function unfinishedOf(id: string, commits: number): UnfinishedImport {
  return { id, thread: nameToBe(id), commits, beganAt: Number(PARTS.exec(id)?.[1] ?? 0) };
}
