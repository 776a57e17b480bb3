import type { Edit } from "../edits/edit.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import type { Message } from "../messages/message.ts";
import { isRecord } from "../errors/is-record.ts";
import type { BranchRef, NewCommit, Store, StoredStep } from "../store/store.ts";
import { PAGE, readEntries } from "./branch-log.ts";
import { CommitChain, type Draft } from "./commit-chain.ts";
import { editDraft, editedCommit, undoDraft } from "./edit-commits.ts";
import { LogState } from "./log-state.ts";
import { addMessages } from "./said-commits.ts";
import { readStep, type RecordedStep } from "./steps.ts";

/** A call of the model, and what its thread was then beside its log and its edits. */
export interface Noted extends Omit<RecordedStep, "upTo"> {
  /** JSON. */
  readonly state: unknown;
}

export interface Change {
  /** What is new in the log. */
  readonly messages: readonly Message[];
  /** All edits, as they are now. */
  readonly edits: readonly Edit[];
  /** Left out, it is as it was. */
  readonly noted?: Noted;
}

/** What one change writes: all commits or none. The step names the last of them, and counts only if that is there. */
interface Batch {
  readonly expected: string | null;
  readonly commits: readonly NewCommit[];
  readonly step: StoredStep | undefined;
}

/**
 * Writes one branch for somebody who has all of it in memory, and goes on without waiting. Changes are planned when they are made and
 * written one after another. One that fails is kept, and tried again with the next `flush`. If somebody else writes to the branch,
 * nothing more is written.
 */
export class SoleWriter {
  readonly #store: Store;
  readonly #ref: BranchRef;
  /** As it is when all is written. */
  readonly #state: LogState;
  readonly #waiting: Batch[] = [];
  #flushing: Promise<void> | undefined;
  /** The newest `state` that was noted. */
  readonly noted: unknown;

  private constructor(store: Store, ref: BranchRef, state: LogState, noted: unknown) {
    this.#store = store;
    this.#ref = ref;
    this.#state = state;
    this.noted = noted;
  }

  static async open(store: Store, ref: BranchRef): Promise<SoleWriter> {
    const { length = 0 } = (await store.head(ref)) ?? {};
    const state = new LogState();
    for (let from = 0; from < length; from += PAGE) {
      for (const entry of await readEntries(store, ref, from, Math.min(from + PAGE, length))) state.apply(entry);
    }
    return new SoleWriter(store, ref, state, newestNote((await store.steps(ref)).map(readStep), state));
  }

  get messages(): readonly Message[] {
    return [...this.#state.messages];
  }

  get edits(): readonly Edit[] {
    return this.#state.edits;
  }

  /** Plans it, as it is now: what the caller changes later is not in it. */
  add({ messages, edits, noted }: Change): void {
    const chain = new CommitChain(this.#state.head, this.#state.entries.length, Date.now());
    const expected = this.#state.head;
    addMessages(this.#state, chain, messages, (role) => ({ author: role }));
    for (const entry of chain.entries) this.#state.apply(entry);
    for (const edit of edits) this.#addEdit(chain, edit);
    const step = noted === undefined ? undefined : this.#stepOf(noted);
    if (chain.commits.length > 0 || step !== undefined) this.#waiting.push({ expected, commits: chain.commits, step });
  }

  /** Fulfilled when all that was added is durable. */
  flush(): Promise<void> {
    if (this.#waiting.length === 0) return Promise.resolve();
    this.#flushing ??= this.#writeAll();
    return this.#flushing;
  }

  async #writeAll(): Promise<void> {
    try {
      for (let batch = this.#waiting[0]; batch !== undefined; batch = this.#waiting[0]) {
        await this.#write(batch);
        this.#waiting.shift();
      }
    } finally {
      this.#flushing = undefined;
    }
  }

  async #write({ expected, commits, step }: Batch): Promise<void> {
    if (step !== undefined) await this.#store.addStep(this.#ref, step);
    if (commits.length === 0) return;
    const outcome = await this.#store.append(this.#ref, expected, commits);
    // Written, and only the answer was lost.
    if (outcome.appended || outcome.head.hash === commits.at(-1)?.hash) return;
    throw invalid("INVALID_INPUT", "thread", "one that nobody else writes to while it is open here", this.#ref.thread);
  }

  /** Made, made again, or taken back. */
  #addEdit(chain: CommitChain, { undoneAt, ...edit }: Edit): void {
    const known = this.#state.editOf(edit.id);
    if (known === undefined || (known.edit.undoneAt !== undefined && undoneAt === undefined)) {
      this.#apply(chain, editDraft(edit, editedCommit(this.#state, edit), edit.pass));
    }
    const made = this.#state.editOf(edit.id);
    if (made !== undefined && made.edit.undoneAt === undefined && undoneAt !== undefined) this.#apply(chain, undoDraft(made, undoneAt, "undo", undefined));
  }

  #apply(chain: CommitChain, draft: Draft): void {
    chain.add(draft);
    const entry = chain.entries.at(-1);
    if (entry !== undefined) this.#state.apply(entry);
  }

  #stepOf({ state, ...call }: Noted): StoredStep {
    const { head, entries, messages } = this.#state;
    const step: ThreadStep = { upTo: messages.length, ...call, thread: { head, state } };
    return { length: entries.length, value: JSON.stringify(step) };
  }
}

interface ThreadStep extends RecordedStep {
  readonly thread: { readonly head: string | null; readonly state: unknown };
}

/** Of those whose commit is there, the one with the latest; of several with the same, the last. */
function newestNote(steps: readonly RecordedStep[], state: LogState): unknown {
  let newest: { readonly sequence: number; readonly state: unknown } | undefined;
  for (const step of steps) {
    if (!isThreadStep(step)) continue;
    const entry = state.entryOf(step.thread.head ?? "");
    if (entry !== undefined && entry.commit.sequence >= (newest?.sequence ?? 0)) newest = { sequence: entry.commit.sequence, state: step.thread.state };
  }
  return newest?.state;
}

function isThreadStep(step: RecordedStep): step is ThreadStep {
  return "thread" in step && isRecord(step.thread);
}
