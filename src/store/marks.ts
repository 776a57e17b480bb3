import { createHash } from "node:crypto";
import type { NewCommit } from "./store.ts";

/**
 * A key that an index finds a commit by. It is a digest, because tool names and call ids come from models and servers, with any length and
 * any characters.
 */
export type MarkKind = "tool" | "call" | "edits";

/** Enough that no two names share a digest. */
const DIGEST_BYTES = 16;

export function markOf(kind: MarkKind, name: string): Buffer {
  return digestOf(`${kind}:${name}`).subarray(0, DIGEST_BYTES);
}

/** Returns the marks of a commit, each once. */
export function marksOf({ name, calls = [], callId, edits }: Pick<NewCommit, "name" | "calls" | "callId" | "edits">): Buffer[] {
  const named: [MarkKind, string | undefined][] = [
    ["tool", name],
    ["call", callId],
    ["edits", edits],
    ...calls.flatMap((call): [MarkKind, string][] => [
      ["tool", call.name],
      ["call", call.id],
    ]),
  ];
  const marks = named.flatMap(([kind, text]) => (text === undefined ? [] : [markOf(kind, text)]));
  return [...new Map(marks.map((mark) => [mark.toString("hex"), mark])).values()];
}

/** Digests UTF-16 units, so that texts without a valid UTF-8 form differ too. */
export function digestOf(text: string): Buffer {
  return createHash("sha256").update(Buffer.from(text, "utf16le")).digest();
}
