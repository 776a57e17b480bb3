import type { BranchRef, Store, StoredCommit } from "../store/store.ts";
import { PAGE } from "./branch-log.ts";
import { decodeContent } from "./commit-content.ts";
import { commitHash, sha256 } from "./commit-hash.ts";

export interface Verification {
  readonly ok: boolean;
  /** How many were checked: those that branches share, once. */
  readonly commits: number;
  readonly faults: readonly Fault[];
}

export interface Fault {
  readonly branch: string;
  /** How many commits of the branch lie before it. */
  readonly sequence: number;
  readonly hash: string;
  readonly fault: string;
}

/** Recomputes every hash of a thread, of commits and of contents, and follows every branch from its first commit. */
export async function verifyThread(store: Store, thread: string): Promise<Verification> {
  const checked = new Set<string>();
  const faults: Fault[] = [];
  for (const { name, length, hash } of await store.branches(thread)) {
    const ref = { thread, branch: name };
    const last = await verifyBranch(store, ref, checked, faults);
    if (last.sequence + 1 !== length || last.hash !== hash)
      faults.push({
        branch: name,
        sequence: length,
        hash: hash ?? "",
        fault: `the branch says that it has ${length} commits, and ${last.sequence + 1} are there`,
      });
  }
  return { ok: faults.length === 0, commits: checked.size, faults };
}

async function verifyBranch(store: Store, ref: BranchRef, checked: Set<string>, faults: Fault[]): Promise<{ sequence: number; hash: string | null }> {
  let last: { sequence: number; hash: string | null } = { sequence: -1, hash: null };
  const seen = new Set<string>();
  for (;;) {
    const from = last.sequence + 1;
    const commits = await store.commits(ref, { from, to: from + PAGE });
    if (commits.length === 0) return last;
    const contents = await store.contents([...new Set(commits.map(({ contentHash }) => contentHash))]);
    for (const commit of commits) {
      const found = [...placeFaults(commit, last, seen), ...(checked.has(commit.hash) ? [] : ownFaults(commit, contents.get(commit.contentHash)))];
      faults.push(...found.map((fault) => ({ branch: ref.branch, sequence: commit.sequence, hash: commit.hash, fault })));
      checked.add(commit.hash);
      seen.add(commit.hash);
      last = commit;
    }
  }
}

function placeFaults(commit: StoredCommit, last: { readonly sequence: number; readonly hash: string | null }, seen: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  if (commit.parent !== last.hash) faults.push("its parent is not the commit before it");
  if (commit.sequence !== last.sequence + 1) faults.push("a commit before it is missing");
  if (commit.edits !== undefined && !seen.has(commit.edits)) faults.push("the commit that it edits is not before it");
  return faults;
}

function ownFaults(commit: StoredCommit, text: string | undefined): string[] {
  const faults: string[] = [];
  if (commitHash(commit) !== commit.hash) faults.push("its hash is not that of its fields");
  if (text === undefined) return [...faults, "its content is missing"];
  if (sha256(text) !== commit.contentHash) faults.push("its content is not what the hash says");
  else if (decodeContent(text) === undefined) faults.push("its content cannot be read");
  return faults;
}
