import type { BranchInfo, BranchRef, Store, StoredCommit, StoreFault } from "../store/store.ts";
import { PAGE } from "./branch-log.ts";
import { checkCommit, DERIVATION } from "./damage.ts";

export interface Verification {
  readonly ok: boolean;
  /** How many commits were checked; those that branches share count once. */
  readonly commits: number;
  readonly faults: readonly Fault[];
}

export interface Fault {
  /** Empty: the fault is not about one branch. */
  readonly branch: string;
  /** How many commits of the branch come before it. */
  readonly sequence: number;
  /** The hash of the commit or of the content. */
  readonly hash: string;
  readonly fault: string;
  /** Only data derived from commits and contents is damaged: `verify --repair` rebuilds it. */
  readonly repairable?: true;
}

export interface VerifyOptions {
  /** The hash of a commit that must be in the thread. Only this reveals that somebody cut off the end of a thread and removed all traces of it. */
  readonly expect?: string;
  /** Rebuilds damaged derived data before checking it. */
  readonly repair?: boolean;
}

/**
 * Recomputes every hash of a thread, of commits and of contents, follows every branch from its first commit, and checks everything else
 * that the store keeps of the thread.
 */
export async function verifyThread(store: Store, thread: string, { expect, repair = false }: VerifyOptions = {}): Promise<Verification> {
  if (repair && (await store.audit(DERIVATION, thread)).some(({ isDerived }) => isDerived)) await store.repair(DERIVATION, thread);
  const checked = new Set<string>();
  const faults: Fault[] = [];
  for (const branch of await store.branches(thread)) await verifyBranch(store, { thread, branch: branch.name }, branch, checked, faults);
  const audited = (await store.audit(DERIVATION, thread)).map(faultOf);
  const missing = expect !== undefined && !(await hasCommit(store, thread, expect)) ? [expectedMissing(expect)] : [];
  const all = [...faults, ...audited, ...missing];
  return { ok: all.length === 0, commits: checked.size, faults: all };
}

/** Checks the database itself, and data that belongs to no thread. */
export async function verifyStore(store: Store, { repair = false }: Pick<VerifyOptions, "repair"> = {}): Promise<Fault[]> {
  if (repair && (await store.audit(DERIVATION)).some(({ isDerived }) => isDerived)) await store.repair(DERIVATION);
  return (await store.audit(DERIVATION)).map(faultOf);
}

/** Returns whether there is a commit whose hash begins with `hash`. */
export async function hasCommit(store: Store, thread: string, hash: string): Promise<boolean> {
  return hash !== "" && (await store.byHash(thread, hash, 1)).length > 0;
}

export function expectedMissing(hash: string): Fault {
  return { branch: "", sequence: 0, hash, fault: "this commit was expected and is missing: the thread was cut off before it, or is a different one" };
}

function faultOf({ branch = "", sequence = 0, hash = "", fault, isDerived }: StoreFault): Fault {
  return { branch, sequence, hash, fault, ...(isDerived ? { repairable: true } : {}) };
}

/** Verifies a branch up to its length at the start: others may go on writing. */
async function verifyBranch(store: Store, ref: BranchRef, { length, hash }: BranchInfo, checked: Set<string>, faults: Fault[]): Promise<void> {
  let last: { readonly sequence: number; readonly hash: string | null } = { sequence: -1, hash: null };
  const seen = new Set<string>();
  for (let from = 0; from < length; from += PAGE) {
    const commits = await store.commits(ref, { from, to: Math.min(from + PAGE, length) });
    const contents = await store.contents([...new Set(commits.map(({ contentHash }) => contentHash))]);
    for (const commit of commits) {
      const found = [...placeFaults(commit, last, seen), ...(checked.has(commit.hash) ? [] : checkCommit(commit, contents.get(commit.contentHash)).damages)];
      faults.push(...found.map((fault) => ({ branch: ref.branch, sequence: commit.sequence, hash: commit.hash, fault })));
      checked.add(commit.hash);
      seen.add(commit.hash);
      last = commit;
    }
  }
  if (last.sequence + 1 === length && last.hash === hash) return;
  const fault = `the branch claims ${length} commits, but ${last.sequence + 1} are there`;
  faults.push({ branch: ref.branch, sequence: length, hash: hash ?? "", fault });
}

function placeFaults(commit: StoredCommit, last: { readonly sequence: number; readonly hash: string | null }, seen: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  if (commit.parent !== last.hash) faults.push("its parent is not the commit before it");
  if (commit.sequence !== last.sequence + 1) faults.push("a commit before it is missing");
  if (commit.edits !== undefined && !seen.has(commit.edits)) faults.push("the commit that it edits is not before it");
  return faults;
}
