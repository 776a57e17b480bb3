import { hash as digest } from "node:crypto";
import type { StoredCommit } from "../store/store.ts";

/** Increase this if what is hashed changes, or how, so that old and new hashes can be told apart. */
const FORM = 1;

export type HashedFields = Omit<StoredCommit, "hash" | "sequence">;

export function sha256(text: string): string {
  return digest("sha256", text, "hex");
}

/**
 * Returns the hash of a commit: SHA-256, in hex, of the canonical JSON of all its fields and `form`. The content is included as the hash of its
 * exact text: the order of keys in a message is part of what the provider reads and caches. The parent is included, so
 * a hash covers everything that came before. The thread and the branch are not, so a copy of a thread has the same hashes.
 */
export function commitHash(commit: HashedFields): string {
  const { parent, kind, role, name, calls, callId, edits, isError, tokens, time, author, reason, contentHash } = commit;
  // Keys in sorted order, so this is the canonical JSON without sorting: every commit that is read is hashed again.
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
