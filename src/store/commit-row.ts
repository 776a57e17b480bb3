import { isRecord } from "../errors/is-record.ts";
import type { NewCommit, StoredCommit } from "./store.ts";
import { decodeText } from "./stored-text.ts";

/** A commit as the databases return it; in a damaged row any column may hold anything. Fields that no query uses are in `record`, as JSON, which escapes what text cannot hold. */
export interface CommitRow {
  readonly sequence: number;
  readonly hash: unknown;
  /** Null: the content was removed by somebody else. */
  readonly content_hash: unknown;
  readonly record: unknown;
}

type CommitRecord = Omit<StoredCommit, "hash" | "sequence" | "contentHash">;

export function recordOf(commit: NewCommit): string {
  const { hash: _hash, content: _content, search: _search, ...fields } = commit;
  return JSON.stringify(fields satisfies CommitRecord);
}

export function commitOf({ sequence, hash, content_hash, record }: CommitRow): StoredCommit {
  return { ...fieldsOf(record), hash: textIn(hash), sequence, contentHash: textIn(content_hash) };
}

/** Stands for a damaged record that is no longer JSON. Comparing the commit with its hash reveals the damage. */
const NOTHING: CommitRecord = { parent: null, kind: "append", role: "user", tokens: 0, time: 0, author: "" };

function textIn(column: unknown): string {
  return typeof column === "string" ? decodeText(column) : "";
}

function fieldsOf(record: unknown): CommitRecord {
  try {
    const fields: unknown = JSON.parse(String(record));
    return isRecord(fields) ? (fields as unknown as CommitRecord) : NOTHING;
  } catch {
    return NOTHING;
  }
}
