import { commitIn } from "../../history/commit-lookup.ts";
import { toCommit, type Commit } from "../../history/commit.ts";
import type { StoredCommit } from "../../store/store.ts";
import { CliError } from "../cli-error.ts";
import type { OpenThread } from "./with-thread.ts";

const SHORT = 10;
/** How many hashes an error lists. */
const LISTED = 5;

/** Long enough to tell a hash from others, short enough to type. */
export function shortHash(hash: string): string {
  return hash.slice(0, SHORT);
}

/** Returns a commit as lists print it with `--json`. */
export function commitJson(commit: StoredCommit): Commit & { readonly sequence: number } {
  return { ...toCommit(commit), sequence: commit.sequence };
}

/** Returns the commit whose hash begins with `given`, on any branch of the thread. */
export async function findCommit({ store, history, ref }: OpenThread, given: string): Promise<Commit> {
  const prefix = given.trim().toLowerCase();
  const found = await store.byHash(ref.thread, prefix, LISTED + 1);
  const [first] = found;
  // Throws an error that lists similar hashes.
  if (first === undefined) return history.getCommit(given);
  if (found.length === 1 || first.hash === prefix) return toCommit(first);
  const hashes = found.slice(0, LISTED).map(({ hash }) => hash.slice(0, Math.max(SHORT, prefix.length + 4)));
  throw new CliError(
    `${JSON.stringify(given)} is the beginning of several hashes: ${hashes.join(", ")}${found.length > LISTED ? ", …" : ""}.`,
    "Give more characters.",
  );
}

/** Returns how many commits of the branch come before the one whose hash begins with `given`. */
export async function placeOf(thread: OpenThread, given: string): Promise<number> {
  const { hash } = await findCommit(thread, given);
  return (await commitIn(thread.store, thread.ref, hash, "hash")).sequence;
}
