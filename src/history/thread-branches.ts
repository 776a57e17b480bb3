import { invalid, PalimpsestError } from "../errors/palimpsest-error.ts";
import type { BranchInfo, BranchRef, Store } from "../store/store.ts";
import { commitUnknown, commitWith, isIn, type CommitLike } from "./commit-lookup.ts";

/** A branch, and a number of its first commits. */
export interface PlaceInBranch {
  readonly ref: BranchRef;
  readonly length: number;
}

/** The branches of one thread. */
export class ThreadBranches {
  readonly #store: Store;
  readonly #thread: string;

  constructor(store: Store, thread: string) {
    this.#store = store;
    this.#thread = thread;
  }

  /** Returns all branches. Throws for a thread that has none. */
  async all(): Promise<readonly BranchInfo[]> {
    const branches = await this.#store.branches(this.#thread);
    if (branches.length === 0) throw threadUnknown(this.#thread);
    return branches;
  }

  async named(name: string): Promise<BranchInfo> {
    const branches = await this.all();
    const info = branches.find((branch) => branch.name === name);
    if (info === undefined) throw invalid("INVALID_INPUT", "name", `a branch of the thread: ${branches.map((branch) => branch.name).join(", ")}`, name);
    return info;
  }

  async fork({ ref, length }: PlaceInBranch, name: string): Promise<BranchInfo> {
    if (!(await this.#store.fork(ref, length, name))) throw invalid("INVALID_INPUT", "name", "a name that no branch of the thread has", name);
    return this.named(name);
  }

  /** Returns the place after the commit, in this branch if it has the commit, else in another one. */
  async placeAfter(commit: CommitLike, branch: BranchRef): Promise<PlaceInBranch> {
    const found = await commitWith(this.#store, this.#thread, commit);
    const others = (await this.all()).map(({ name }) => ({ thread: this.#thread, branch: name }));
    for (const ref of [branch, ...others]) if (await isIn(this.#store, ref, found)) return { ref, length: found.sequence + 1 };
    throw commitUnknown(found.hash, []);
  }

  async end(ref: BranchRef): Promise<PlaceInBranch> {
    const head = await this.#store.head(ref);
    if (head === undefined) throw threadUnknown(this.#thread);
    return { ref, length: head.length };
  }
}

export function threadUnknown(thread: string): PalimpsestError {
  return new PalimpsestError("THREAD_UNKNOWN", `There is no thread ${JSON.stringify(thread)} in the store.`, { thread });
}
