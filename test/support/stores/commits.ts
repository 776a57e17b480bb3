import { createHash } from "node:crypto";
import type { NewCommit, StoredCommit } from "../../../src/store/store.ts";

/** What a test says of a commit; the rest is filled in. */
export interface CommitSpec extends Partial<Omit<NewCommit, "hash" | "parent" | "content">> {
  readonly text?: string;
}

export function sha256(text: string): string {
  return createHash("sha256").update(Buffer.from(text, "utf16le")).digest("hex");
}

/** Commits that follow each other. Like those of a history, the same commit after the same parent has the same hash. */
export function chain(parent: string | null, ...specs: readonly CommitSpec[]): NewCommit[] {
  const commits: NewCommit[] = [];
  for (const spec of specs) commits.push(commitAfter(commits.at(-1)?.hash ?? parent, spec));
  return commits;
}

function commitAfter(parent: string | null, { text = "text", ...spec }: CommitSpec): NewCommit {
  const fields = { parent, kind: "append", role: "user", tokens: 1, time: 1000, author: "test", ...spec } as const;
  const content = { hash: sha256(text), text };
  return { ...fields, hash: sha256(JSON.stringify({ ...fields, content: content.hash })), content, search: spec.search ?? [] };
}

/** What a store gives back. */
export function stored(commit: NewCommit, sequence: number): StoredCommit {
  const { content, search: _, ...fields } = commit;
  return { ...fields, sequence, contentHash: content.hash };
}
