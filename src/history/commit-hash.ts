import { hash as digest } from "node:crypto";
import type { StoredCommit } from "../store/store.ts";

/** A change of what is hashed, or how, is another form: hashes of both can then be told apart. */
const FORM = 1;

export type HashedFields = Omit<StoredCommit, "hash" | "sequence">;

export function sha256(text: string): string {
  return digest("sha256", text, "hex");
}

/**
 * The hash of a commit: SHA-256, in hex, of the canonical JSON of all its fields and `form`. The content is in it by its own hash, which is
 * that of its text as it is: the order of keys in a message is part of what the provider reads and caches. The parent is in it too, so
 * a hash stands for everything that came before. The thread and the branch are not: a copy of a thread has the same hashes.
 */
export function commitHash(commit: HashedFields): string {
  const { parent, kind, role, name, calls, callId, edits, isError, tokens, time, author, reason, contentHash } = commit;
  // The keys in their order, so that this is the canonical JSON: every commit that is read is hashed again.
  return sha256(
    JSON.stringify({
      author,
      callId,
      calls: calls === undefined || calls.length === 0 ? undefined : calls.map((call) => ({ id: call.id, name: call.name })),
      contentHash,
      edits,
      form: FORM,
      isError: isError === true ? true : undefined,
      kind,
      name,
      parent,
      reason,
      role,
      time,
      tokens,
    }),
  );
}
