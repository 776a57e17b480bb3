import { setTimeout as sleep } from "node:timers/promises";
import { storeFailed } from "../store/store-failed.ts";
import type { BranchRef, Store, StoredCommit } from "../store/store.ts";
import { CommitChain } from "./commit-chain.ts";
import { checkCommit, damaged, unbroken } from "./damage.ts";
import { BranchState } from "./branch-state.ts";
import type { Entry } from "./commit-index.ts";
import type { TaskQueue } from "./task-queue.ts";

/** Commits read at a time. */
export const PAGE: number = 1_000;

/** Writers that conflict wait for a random time that grows with every conflict. */
const FIRST_WAIT_MS = 4;
const LONGEST_WAIT_MS = 250;

/** A branch of the store, cached in memory, so that only new commits are read. Reads and writes of one history run one after another. */
export class BranchLog {
  readonly ref: BranchRef;
  readonly #store: Store;
  readonly #queue: TaskQueue;
  #state: BranchState;

  constructor(store: Store, ref: BranchRef, queue: TaskQueue) {
    this.#store = store;
    this.ref = ref;
    this.#queue = queue;
    this.#state = new BranchState(ref.thread);
  }

  /** Calls `look` with the state as it is in the store now. `look` must not wait for anything else of this history. */
  read<T>(look: (state: BranchState) => T): Promise<T> {
    return this.#queue.run(async () => {
      await this.#sync();
      return look(this.#state);
    });
  }

  /** Passes if `check` does, on the cached state or, failing that, on the state in the store now. */
  check(check: (state: BranchState) => void): Promise<void> {
    return this.#queue.run(async () => {
      try {
        check(this.#state);
      } catch {
        await this.#sync();
        check(this.#state);
      }
    });
  }

  /**
   * Writes what `plan` adds to the chain, all of it or nothing. Plans on the cached state first, because usually nobody else has written since;
   * if somebody has, the store refuses the write. Then, or if the plan writes nothing or throws, plans again on the state in the store.
   * Every such conflict means that another writer has made progress.
   */
  write<T>(plan: (state: BranchState, chain: CommitChain) => T): Promise<T> {
    return this.#queue.run(async () => {
      let isSynced = this.#state.tip === null;
      if (isSynced) await this.#sync();
      for (let conflicts = 0; ;) {
        const { tip, entries } = this.#state;
        const chain = new CommitChain(tip, entries.length, Date.now());
        const planned = planOn(this.#state, chain, plan, isSynced);
        if (planned !== undefined && chain.commits.length > 0) {
          const outcome = await this.#store.append(this.ref, tip, chain.commits);
          if (outcome.appended) {
            for (const entry of chain.entries) this.#state.apply(entry);
            return planned.value;
          }
          if (outcome.head.hash === tip) throw storeFailed(this.#store.name, "append", "it refuses commits that follow its own head");
          if (isSynced) await sleep(Math.random() * Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** conflicts++));
        } else if (isSynced && planned !== undefined) return planned.value;
        await this.#sync();
        isSynced = true;
        if (planned !== undefined && chain.commits.length === 0 && this.#state.tip === tip) return planned.value;
      }
    });
  }

  async #sync(): Promise<void> {
    const head = await this.#store.head(this.ref);
    if ((head?.hash ?? null) === this.#state.tip) return;
    if (head === undefined || !(await this.#continues(head.length))) this.#state = new BranchState(this.ref.thread);
    if (head === undefined) return;
    for (let from = this.#state.entries.length; from < head.length; from += PAGE) {
      for (const entry of await readEntries(this.#store, this.ref, from, Math.min(from + PAGE, head.length))) this.#state.apply(entry);
    }
  }

  /** Returns whether the cached commits are still the beginning of the branch. They are not if the thread was deleted and started again. */
  async #continues(length: number): Promise<boolean> {
    const known = this.#state.entries.length;
    if (known === 0 || length < known) return known === 0;
    const [last] = await this.#store.commits(this.ref, { from: known - 1, to: known });
    return last?.hash === this.#state.tip;
  }
}

/** Undefined: the plan failed on a state that may be old. */
function planOn<T>(
  state: BranchState,
  chain: CommitChain,
  plan: (state: BranchState, chain: CommitChain) => T,
  isSynced: boolean,
): { readonly value: T } | undefined {
  try {
    return { value: plan(state, chain) };
  } catch (error) {
    if (isSynced) throw error;
    return undefined;
  }
}

/** Reads commits of a branch with their contents. */
export async function readEntries(store: Store, ref: BranchRef, from: number, to: number): Promise<Entry[]> {
  const commits = unbroken(store, await store.commits(ref, { from, to }), from, to);
  const contents = await store.contents([...new Set(commits.map(({ contentHash }) => contentHash))]);
  return commits.map((commit) => entryOf(store, commit, contents.get(commit.contentHash)));
}

/** Throws if the commit or its content does not match its hash. */
export function entryOf(store: Store, commit: StoredCommit, text: string | undefined): Entry {
  const { content, damages } = checkCommit(commit, text);
  if (content === undefined || damages.length > 0) throw damaged(store, commit, damages.join("; "));
  return { commit, content };
}
