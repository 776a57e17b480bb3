import type { NewCommit, StoredCommit } from "./store.ts";
import { decodeText } from "./stored-text.ts";

/** A commit as the databases give it. What no query asks for is in `record`, as JSON, which escapes what text cannot hold. */
export interface CommitRow {
  readonly sequence: number;
  readonly hash: string;
  /** Null: the content was taken away by someone else than us. */
  readonly content_hash: string | null;
  readonly record: string;
}

type CommitRecord = Omit<StoredCommit, "hash" | "sequence" | "contentHash">;

export function recordOf(commit: NewCommit): string {
  const { hash: _hash, content: _content, search: _search, ...fields } = commit;
  return JSON.stringify(fields satisfies CommitRecord);
}

export function commitOf({ sequence, hash, content_hash, record }: CommitRow): StoredCommit {
  return { ...(JSON.parse(record) as CommitRecord), hash: decodeText(hash), sequence, contentHash: decodeText(content_hash ?? "") };
}
