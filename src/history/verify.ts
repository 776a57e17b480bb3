import type { BranchInfo, BranchRef, Store, StoredCommit, StoreFault } from "../store/store.ts";
import { PAGE } from "./branch-log.ts";
import { checkCommit, DERIVATION } from "./damage.ts";

export interface Verification {
  readonly ok: boolean;
  /** How many were checked: those that branches share, once. */
  readonly commits: number;
  readonly faults: readonly Fault[];
}

export interface Fault {
  /** Empty: it is not about one branch. */
  readonly branch: string;
  /** How many commits of the branch lie before it. */
  readonly sequence: number;
  /** Of the commit, or of the content. */
  readonly hash: string;
  readonly fault: string;
  /** Only what is derived from commits and contents is damaged: `verify --repair` makes it anew. */
  readonly repairable?: true;
}

export interface VerifyOptions {
  /** The hash of a commit that the thread had once: without it, nobody can tell that the end of a thread was cut off and all traces of it removed. */
  readonly expect?: string;
  /** Makes what is derived anew, where it is damaged, before it is checked. */
  readonly repair?: boolean;
}

/**
 * Recomputes every hash of a thread, of commits and of contents, follows every branch from its first commit, and compares all else that
 * the store keeps of the thread with what it must be.
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

/** What belongs to no thread, and the database itself. */
export async function verifyStore(store: Store, { repair = false }: Pick<VerifyOptions, "repair"> = {}): Promise<Fault[]> {
  if (repair && (await store.audit(DERIVATION)).some(({ isDerived }) => isDerived)) await store.repair(DERIVATION);
  return (await store.audit(DERIVATION)).map(faultOf);
}

/** Is there a commit whose hash begins so? */
export async function hasCommit(store: Store, thread: string, hash: string): Promise<boolean> {
  return hash !== "" && (await store.byHash(thread, hash, 1)).length > 0;
}

export function expectedMissing(hash: string): Fault {
  return { branch: "", sequence: 0, hash, fault: "this commit was expected and is not there: the thread was cut off before it, or is another one" };
}

function faultOf({ branch = "", sequence = 0, hash = "", fault, isDerived }: StoreFault): Fault {
  return { branch, sequence, hash, fault, ...(isDerived ? { repairable: true } : {}) };
}

/** Up to the length that the branch has now: others may go on writing. */
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
  const fault = `the branch says that it has ${length} commits, and ${last.sequence + 1} are there`;
  faults.push({ branch: ref.branch, sequence: length, hash: hash ?? "", fault });
}

function placeFaults(commit: StoredCommit, last: { readonly sequence: number; readonly hash: string | null }, seen: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  if (commit.parent !== last.hash) faults.push("its parent is not the commit before it");
  if (commit.sequence !== last.sequence + 1) faults.push("a commit before it is missing");
  if (commit.edits !== undefined && !seen.has(commit.edits)) faults.push("the commit that it edits is not before it");
  return faults;
}
