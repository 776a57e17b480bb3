import { createHash } from "node:crypto";
import type { NewCommit } from "./store.ts";

/**
 * What a commit is found by in an index, as a digest: tool names and call ids come from models and servers, and are of any length and
 * of any characters.
 */
export type MarkKind = "tool" | "call" | "edits";

/** As many as make sure that no two names share them. */
const DIGEST_BYTES = 16;

export function markOf(kind: MarkKind, name: string): Buffer {
  return digestOf(`${kind}:${name}`).subarray(0, DIGEST_BYTES);
}

/** Each once. */
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

/** Of the UTF-16 units, so that texts that have no UTF-8 differ too. */
export function digestOf(text: string): Buffer {
  return createHash("sha256").update(Buffer.from(text, "utf16le")).digest();
}
