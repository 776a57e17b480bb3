import { invalid, PalimpsestError } from "../errors/palimpsest-error.ts";
import { string, type Field } from "../errors/parse-options.ts";
import type { BranchRef, Store, StoredCommit } from "../store/store.ts";
import type { Commit } from "./commit.ts";
import { whole } from "./damage.ts";
import type { BranchState } from "./branch-state.ts";
import type { Entry } from "./commit-index.ts";

/** A commit, or its hash. */
export type CommitLike = string | Commit;

export const commitLike: Field<CommitLike> = {
  expected: "a commit or its hash",
  accepts: (value): value is CommitLike => typeof value === "string" || (typeof value === "object" && value !== null && "hash" in value),
};

export function hashOf(given: CommitLike, path: string): string {
  const hash: unknown = typeof given === "object" && (given as unknown) !== null ? given.hash : given;
  if (!string.accepts(hash)) throw invalid("INVALID_INPUT", path, "a commit or its hash", given);
  return hash;
}

const NEAR = 5;
/** Lengths of prefixes to search for similar hashes, longest first. */
const NEAR_LENGTHS = [32, 16, 8, 6, 4, 2] as const;

/** Returns the commit, whichever branch of the thread it is on. */
export async function commitWith(store: Store, thread: string, given: CommitLike, path = "hash"): Promise<StoredCommit> {
  const hash = hashOf(given, path);
  const found = await store.byHash(thread, hash, 1);
  const commit = found.find((candidate) => candidate.hash === hash);
  if (commit === undefined) throw commitUnknown(hash, await nearTo(store, thread, hash));
  whole(store, [commit]);
  return commit;
}

/** Returns the commit. Throws if the branch does not have it. */
export async function commitIn(store: Store, ref: BranchRef, given: CommitLike, path: string): Promise<StoredCommit> {
  const commit = await commitWith(store, ref.thread, given, path);
  if (await isIn(store, ref, commit)) return commit;
  throw commitUnknown(commit.hash, [commit.hash], ` in branch ${JSON.stringify(ref.branch)}; another branch has it`);
}

export async function isIn(store: Store, ref: BranchRef, { hash, sequence }: StoredCommit): Promise<boolean> {
  const [there] = await store.commits(ref, { from: sequence, to: sequence + 1 });
  return there?.hash === hash;
}

/** Returns the entry of a commit. Throws if the branch does not have it. */
export function entryIn(state: BranchState, given: CommitLike, path: string): Entry {
  const hash = hashOf(given, path);
  const entry = state.entryOf(hash);
  if (entry !== undefined) return entry;
  const hashes = state.entries.map(({ commit }) => commit.hash);
  for (const length of NEAR_LENGTHS) {
    const near = hashes.filter((other) => other.startsWith(hash.slice(0, length))).slice(0, NEAR);
    if (near.length > 0) throw commitUnknown(hash, near, " in this branch");
  }
  throw commitUnknown(hash, [], " in this branch");
}

async function nearTo(store: Store, thread: string, hash: string): Promise<string[]> {
  for (const length of NEAR_LENGTHS.filter((characters) => characters < hash.length)) {
    const near = await store.byHash(thread, hash.slice(0, length), NEAR);
    if (near.length > 0) return near.map((commit) => commit.hash);
  }
  return [];
}

export function commitUnknown(hash: string, near: readonly string[], where = " in this thread"): PalimpsestError {
  const hint = near.length === 0 ? "" : ` Similar hashes: ${near.map((other) => other.slice(0, 12)).join(", ")}.`;
  return new PalimpsestError("COMMIT_UNKNOWN", `There is no commit ${JSON.stringify(hash.slice(0, 80))}${where}.${hint}`, { hash, near });
}
