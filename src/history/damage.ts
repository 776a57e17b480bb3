import { PalimpsestError } from "../errors/palimpsest-error.ts";
import type { Derivation, Store, StoredCommit } from "../store/store.ts";
import { decodeContent, type CommitContent } from "./commit-content.ts";
import { commitHash, sha256 } from "./commit-hash.ts";
import { searchWords } from "./search-text.ts";

/** What every reader checks: whatever is read is what its hash says, or is said to be damaged. */
function isWhole(commit: StoredCommit): boolean {
  try {
    return commitHash(commit) === commit.hash;
  } catch {
    // A field of another type than it can have.
    return false;
  }
}

/** A commit as it is read: its content, where that is whole, and all that is wrong. */
export interface CheckedCommit {
  readonly content: CommitContent | undefined;
  readonly damages: readonly string[];
}

/** `text` undefined: the store does not have the content. */
export function checkCommit(commit: StoredCommit, text: string | undefined): CheckedCommit {
  const content = wholeContent(commit.contentHash, text);
  const damages = isWhole(commit) ? [] : ["its hash is not that of its fields"];
  return typeof content === "string" ? { content: undefined, damages: [...damages, content] } : { content, damages };
}

/** Or what is wrong with it. */
function wholeContent(hash: string, text: string | undefined): CommitContent | string {
  if (text === undefined) return "its content is missing";
  if (sha256(text) !== hash) return "its content is not what the hash says";
  return decodeContent(text) ?? "its content cannot be read";
}

/** What a store needs to know to check what it derives from commits and contents. */
export const DERIVATION: Derivation = {
  isWhole,
  searchOf: (hash, text) => {
    const content = wholeContent(hash, text);
    return typeof content === "string" ? undefined : searchWords(content);
  },
};

/** Refuses a stretch of a branch in which a commit is missing, or is not the one that came there. */
export function unbroken(store: Store, commits: readonly StoredCommit[], from: number, to: number): readonly StoredCommit[] {
  for (let place = from; place < to; place++) {
    const commit = commits[place - from];
    const before = commits[place - from - 1];
    if (commit?.sequence !== place || (before !== undefined && commit.parent !== before.hash)) throw missing(store, place);
  }
  return commits;
}

/** Refuses commits that are not what their hashes say. */
export function whole<T extends StoredCommit>(store: Store, commits: readonly T[]): readonly T[] {
  for (const commit of commits) if (!isWhole(commit)) throw damaged(store, commit, "its hash is not that of its fields");
  return commits;
}

function missing(store: Store, place: number): PalimpsestError {
  const message = `${store.name}: commit ${place} of the branch is missing. palimpsest verify says what else is, and palimpsest export --salvage saves the rest.`;
  return new PalimpsestError("STORE_FAILED", message, { store: store.name, operation: "read", sequence: place, fault: "the commit is missing" });
}

export function damaged(store: Store, { hash, sequence }: StoredCommit, why: string): PalimpsestError {
  return new PalimpsestError(
    "STORE_FAILED",
    `${store.name}: commit ${hash.slice(0, 12)} is damaged: ${why}. palimpsest verify says what else is, and palimpsest export --salvage saves the rest.`,
    { store: store.name, operation: "read", hash, sequence, fault: why },
  );
}
