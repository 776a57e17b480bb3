import { randomUUID } from "node:crypto";
import type { UnfinishedImport } from "./store.ts";

/**
 * A thread that is being imported is written under an id of its own, and gets its name when all of it is there. Ids that begin like this
 * are never listed among the threads. Each has a random part, so that two imports of one thread never meet, and whoever takes an
 * unfinished one over gives it another id: whoever wrote it before finds nothing to write to any more.
 */
export const UNFINISHED = "\u0001unfinished\u0001";

const SEPARATOR = "\u0001";
const PARTS = new RegExp(`^${UNFINISHED}(\\d+)${SEPARATOR}[^${SEPARATOR}]*${SEPARATOR}([\\s\\S]*)$`);

export function isUnfinished(id: string): boolean {
  return id.startsWith(UNFINISHED);
}

/** The id of a new import of `thread`. */
export function unfinishedId(thread: string): string {
  return [`${UNFINISHED}${Date.now()}`, randomUUID(), thread].join(SEPARATOR);
}

/** What an unfinished thread will be called. */
export function nameToBe(id: string): string {
  return PARTS.exec(id)?.[2] ?? id;
}

export function unfinishedOf(id: string, commits: number): UnfinishedImport {
  return { id, thread: nameToBe(id), commits, beganAt: Number(PARTS.exec(id)?.[1] ?? 0) };
}
