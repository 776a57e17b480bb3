import { invalid } from "../errors/palimpsest-error.ts";
import type { Message } from "../messages/message.ts";
import type { BranchRef, Store, StoredCommit } from "../store/store.ts";
import { PAGE, readEntries } from "./branch-log.ts";
import { CommitChain } from "./commit-chain.ts";
import { BranchState } from "./branch-state.ts";
import { addMessages, type Authorship } from "./said-commits.ts";
import { stepToStore, type StepToRecord } from "./steps.ts";
import { takenOver } from "./thread-import.ts";

/** Writes the log of a thread that is being imported, skipping what an interrupted import has already written. */
export class ImportWriter {
  readonly #store: Store;
  readonly #ref: BranchRef;
  readonly #thread: string;
  readonly #state: BranchState;
  #steps: number;

  private constructor(store: Store, ref: BranchRef, thread: string, state: BranchState, steps: number) {
    this.#store = store;
    this.#ref = ref;
    this.#thread = thread;
    this.#state = state;
    this.#steps = steps;
  }

  /** `thread` is its name in errors. Throws if what is already written is not the beginning of these messages. */
  static async open(store: Store, ref: BranchRef, thread: string, log: readonly Message[]): Promise<ImportWriter> {
    const state = new BranchState(thread);
    const { length = 0 } = (await store.head(ref)) ?? {};
    for (let from = 0; from < length; from += PAGE) {
      for (const entry of await readEntries(store, ref, from, Math.min(from + PAGE, length))) state.apply(entry);
    }
    const isBeginning = state.messages.every((message, position) => JSON.stringify(message) === JSON.stringify(log[position]));
    if (!isBeginning) throw invalid("INVALID_INPUT", "thread", "an unfinished import of this same file (give --replace to start again)", thread);
    return new ImportWriter(store, ref, thread, state, (await store.steps(ref)).length);
  }

  /** How many messages are written. */
  get messages(): number {
    return this.#state.messages.length;
  }

  get commits(): readonly StoredCommit[] {
    return this.#state.entries.map(({ commit }) => commit);
  }

  async append(messages: readonly Message[], authorOf: (role: Message["role"], number: number) => Authorship): Promise<void> {
    const { tip, entries } = this.#state;
    const chain = new CommitChain(tip, entries.length, Date.now());
    addMessages(this.#state, chain, messages, authorOf);
    const outcome = await this.#store.append(this.#ref, tip, chain.commits);
    if (!outcome.appended) throw takenOver(this.#thread);
    for (const entry of chain.entries) this.#state.apply(entry);
  }

  /** Records the steps that are not written yet. */
  async record(steps: readonly StepToRecord[]): Promise<void> {
    for (const step of steps.slice(this.#steps)) {
      await this.#store.addStep(this.#ref, stepToStore(this.#state, step).stored);
      this.#steps++;
    }
  }
}
