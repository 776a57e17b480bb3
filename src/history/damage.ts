import { PalimpsestError } from "../errors/palimpsest-error.ts";
import type { Derivation, Store, StoredCommit } from "../store/store.ts";
import { decodeContent, type CommitContent } from "./commit-content.ts";
import { commitHash, sha256 } from "./commit-hash.ts";
import { searchWords } from "./search-text.ts";

/** Returns whether the commit matches its hash. Every reader checks this. */
function isWhole(commit: StoredCommit): boolean {
  try {
    return commitHash(commit) === commit.hash;
  } catch {
    // A field has the wrong type.
    return false;
  }
}

/** A commit as it was read: its content if undamaged, and everything that is wrong with it. */
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

/** Returns the content, or a string that says what is wrong with it. */
function wholeContent(hash: string, text: string | undefined): CommitContent | string {
  if (text === undefined) return "its content is missing";
  if (sha256(text) !== hash) return "its content does not match its hash";
  return decodeContent(text) ?? "its content cannot be read";
}

/** Tells a store how to check the data that it derives from commits and contents. */
export const DERIVATION: Derivation = {
  isWhole,
  searchOf: (hash, text) => {
    const content = wholeContent(hash, text);
    return typeof content === "string" ? undefined : searchWords(content);
  },
};

/** Throws if a commit of this part of a branch is missing, or another one is in its place. */
export function unbroken(store: Store, commits: readonly StoredCommit[], from: number, to: number): readonly StoredCommit[] {
  for (let place = from; place < to; place++) {
    const commit = commits[place - from];
    const before = commits[place - from - 1];
    if (commit?.sequence !== place || (before !== undefined && commit.parent !== before.hash)) throw missing(store, place);
  }
  return commits;
}

/** Throws if a commit does not match its hash. */
export function whole<T extends StoredCommit>(store: Store, commits: readonly T[]): readonly T[] {
  for (const commit of commits) if (!isWhole(commit)) throw damaged(store, commit, "its hash is not that of its fields");
  return commits;
}

function missing(store: Store, place: number): PalimpsestError {
  const message = `${store.name}: commit ${place} of the branch is missing. palimpsest verify lists all damage, and palimpsest export --salvage saves the rest.`;
  return new PalimpsestError("STORE_FAILED", message, { store: store.name, operation: "read", sequence: place, fault: "the commit is missing" });
}

export function damaged(store: Store, { hash, sequence }: StoredCommit, why: string): PalimpsestError {
  return new PalimpsestError(
    "STORE_FAILED",
    `${store.name}: commit ${hash.slice(0, 12)} is damaged: ${why}. palimpsest verify lists all damage, and palimpsest export --salvage saves the rest.`,
    { store: store.name, operation: "read", hash, sequence, fault: why },
  );
}
