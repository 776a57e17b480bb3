import type { Conversation, ConversationState } from "../conversation/conversation.ts";
import type { Edit } from "../edits/edit.ts";
import { isRecord } from "../errors/is-record.ts";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import { blocksOf, isToolResult, isToolUse, textBlock, type Block, type TextBlock, type ToolResultBlock, type ToolUseBlock } from "../messages/message.ts";
import type { BranchRef, NewCommit, Note, Store, StoredStep } from "../store/store.ts";
import { PAGE, readEntries } from "./branch-log.ts";
import { BranchState } from "./branch-state.ts";
import { CommitChain, type Draft } from "./commit-chain.ts";
import { CommitIndex, type Entry } from "./commit-index.ts";
import { isSaid } from "./commit-content.ts";
import { editDraft, editedCommit, undoDraft } from "./edit-commits.ts";
import { addMessages } from "./said-commits.ts";
import { readStep, type RecordedStep } from "./steps.ts";

/** A call of the model, and the state of its conversation at that time, beside log and edits. */
export interface Noted extends Omit<RecordedStep, "upTo"> {
  /** JSON. */
  readonly state: unknown;
}

/** Another writer has written to the branch since it was read here. */
export class BranchTaken extends PalimpsestError {
  constructor({ thread }: BranchRef) {
    const expected = "one that nobody else writes to while it is open here";
    super("INVALID_INPUT", `thread: expected ${expected}, found ${JSON.stringify(thread)}`, { path: "thread", expected, found: thread });
  }
}

/** What is written with a change: a call of the model, and notes of the thread. Both are optional. */
export interface Beside {
  readonly noted?: Noted | undefined;
  readonly notes?: readonly Note[];
}

/** What one change writes: all commits and notes, or none. The step names the last commit, and counts only if that commit was written. */
interface Batch {
  readonly expected: string | null;
  readonly commits: readonly NewCommit[];
  readonly step: StoredStep | undefined;
  readonly notes: readonly Note[];
}

/** A conversation as loaded from the store. */
export interface LoadedConversation extends Pick<ConversationState, "log" | "edits"> {
  /** The newest `state` that was noted. */
  readonly noted: unknown;
}

/**
 * Saves a conversation that grows in memory to one branch of a store. `write` plans what is new, and the writing happens in the
 * background. A failed write is kept and retried with the next `flush`. If somebody else writes to the branch, nothing more is written.
 */
export class ConversationWriter {
  /** Applied to every text before it is written. */
  redact: ((text: string) => string) | undefined;
  readonly #store: Store;
  readonly #ref: BranchRef;
  /** The commits of the branch once everything is written. */
  readonly #commits: CommitIndex;
  /** What is planned so far: this many messages of the log, and each edit as it was then. */
  #length: number;
  #edits: readonly Edit[];
  readonly #planned: Map<string, Edit>;
  readonly #waiting: Batch[] = [];
  /** The branch to fork from, until something is written. */
  #from: { readonly writer: ConversationWriter; readonly length: number } | undefined;
  #flushing: Promise<void> | undefined;

  private constructor(store: Store, ref: BranchRef, commits: CommitIndex, length: number, edits: readonly Edit[]) {
    this.#store = store;
    this.#ref = ref;
    this.#commits = commits;
    this.#length = length;
    this.#edits = edits;
    this.#planned = new Map(edits.map((edit) => [edit.id, edit]));
  }

  static async open(store: Store, ref: BranchRef): Promise<{ readonly writer: ConversationWriter; readonly loaded: LoadedConversation }> {
    const { length = 0 } = (await store.head(ref)) ?? {};
    const commits = new CommitIndex();
    const state = new BranchState(ref.thread);
    for (let from = 0; from < length; from += PAGE) {
      for (const entry of await readEntries(store, ref, from, Math.min(from + PAGE, length))) {
        commits.apply(withoutTexts(entry));
        state.apply(entry);
      }
    }
    const noted = newestNote((await store.steps(ref)).map(readStep), commits);
    const { messages, edits } = state;
    return { writer: new ConversationWriter(store, ref, commits, messages.length, edits), loaded: { log: [...messages], edits, noted } };
  }

  /** Returns a writer for a branch that does not exist yet. If somebody else creates it first, nothing is written. */
  static begin(store: Store, ref: BranchRef): ConversationWriter {
    return new ConversationWriter(store, ref, new CommitIndex(), 0, []);
  }

  /** Returns a writer for a new branch that shares what this one has written before the message at this position. */
  forkAt(position: number, branch: string): ConversationWriter {
    const { entries, units } = this.#commits;
    const shared = units.find((unit) => unit.position >= position)?.commit.sequence ?? entries.length;
    const commits = new CommitIndex();
    const state = new BranchState(this.#ref.thread);
    for (const entry of entries.slice(0, shared)) {
      commits.apply(entry);
      state.apply(entry);
    }
    const fork = new ConversationWriter(this.#store, { thread: this.#ref.thread, branch }, commits, state.messages.length, state.edits);
    fork.#from = { writer: this, length: shared };
    return fork;
  }

  /** Plans what is new in the conversation, as it is now. */
  write(conversation: Conversation, { noted, notes = [] }: Beside = {}): void {
    const { log, edits } = conversation;
    if (log.length === this.#length && edits === this.#edits && noted === undefined && notes.length === 0) return;
    const expected = this.#commits.tip;
    const chain = new CommitChain(expected, this.#commits.entries.length, Date.now(), this.redact);
    addMessages(this.#commits, chain, log.slice(this.#length), (role) => ({ author: role }));
    for (const entry of chain.entries) this.#commits.apply(withoutTexts(entry));
    if (edits !== this.#edits) for (const edit of edits) this.#planEdit(chain, edit);
    this.#length = log.length;
    this.#edits = edits;
    const step = noted === undefined ? undefined : this.#stepOf(noted);
    if (chain.commits.length > 0 || step !== undefined || notes.length > 0) this.#waiting.push({ expected, commits: chain.commits, step, notes });
  }

  /** The edits that are written or planned. */
  get edits(): readonly Edit[] {
    return this.#edits;
  }

  /** Whether something is planned but not written yet. */
  get isBehind(): boolean {
    return this.#waiting.length > 0;
  }

  /** Fulfilled when all that was planned is durable. */
  flush(): Promise<void> {
    if (this.#waiting.length === 0) return Promise.resolve();
    this.#flushing ??= this.#writeAll();
    return this.#flushing;
  }

  async #writeAll(): Promise<void> {
    try {
      await this.#branchOff();
      for (let batch = this.#waiting[0]; batch !== undefined; batch = this.#waiting[0]) {
        await this.#write(batch);
        this.#waiting.shift();
      }
    } finally {
      this.#flushing = undefined;
    }
  }

  async #branchOff(): Promise<void> {
    if (this.#from === undefined) return;
    const { writer, length } = this.#from;
    await writer.flush();
    if (!(await this.#store.fork(writer.#ref, length, this.#ref.branch))) throw new BranchTaken(this.#ref);
    this.#from = undefined;
  }

  async #write({ expected, commits, step, notes }: Batch): Promise<void> {
    if (step !== undefined) await this.#store.addStep(this.#ref, step);
    if (commits.length === 0 && notes.length === 0) return;
    const outcome = await this.#store.append(this.#ref, expected, commits, notes);
    // If the head is our last commit, it was written and only the answer was lost.
    if (outcome.appended || (commits.length > 0 && outcome.head.hash === commits.at(-1)?.hash)) return;
    throw new BranchTaken(this.#ref);
  }

  /** Plans an edit that was made, restored or undone. */
  #planEdit(chain: CommitChain, edit: Edit): void {
    const known = this.#planned.get(edit.id);
    if (known === edit) return;
    const { undoneAt, ...made } = edit;
    if (known === undefined || (known.undoneAt !== undefined && undoneAt === undefined))
      this.#plan(chain, editDraft(made, editedCommit(this.#commits, made), made.pass));
    const commit = this.#commits.madeBy(edit.id);
    if (commit !== undefined && undoneAt !== undefined && known?.undoneAt === undefined)
      this.#plan(chain, undoDraft({ edit: made, commit }, undoneAt, "undo", undefined));
    this.#planned.set(edit.id, edit);
  }

  #plan(chain: CommitChain, draft: Draft): void {
    chain.add(draft);
    const entry = chain.entries.at(-1);
    if (entry !== undefined) this.#commits.apply(entry);
  }

  #stepOf({ state, ...call }: Noted): StoredStep {
    const { tip: head, entries } = this.#commits;
    const step: ThreadStep = { upTo: this.#length, ...call, thread: { head, state } };
    return { length: entries.length, value: JSON.stringify(step) };
  }
}

/**
 * Keeps of a message what decides how the next one is written: how many blocks it has, and its calls and results. The conversation has its texts, and
 * so has the store.
 */
function withoutTexts(entry: Entry): Entry {
  const { content } = entry;
  if (!isSaid(content)) return entry;
  const { role } = content.message;
  const message = { role, content: blocksOf(content.message).map(withoutText) };
  return { ...entry, content: { ...content, message } };
}

function withoutText(block: Block): ToolUseBlock | ToolResultBlock | TextBlock {
  if (isToolUse(block)) return { type: "tool_use", id: block.id, name: block.name, input: {} };
  if (isToolResult(block)) return { type: "tool_result", tool_use_id: block.tool_use_id, content: "" };
  return EMPTY;
}

const EMPTY: TextBlock = textBlock("");

interface ThreadStep extends RecordedStep {
  readonly thread: { readonly head: string | null; readonly state: unknown };
}

/** Returns the note of the latest commit that exists; if several notes name the same commit, the last one. */
function newestNote(steps: readonly RecordedStep[], commits: CommitIndex): unknown {
  let newest: { readonly sequence: number; readonly state: unknown } | undefined;
  for (const step of steps) {
    if (!isThreadStep(step)) continue;
    const entry = commits.entryOf(step.thread.head ?? "");
    if (entry !== undefined && entry.commit.sequence >= (newest?.sequence ?? 0)) newest = { sequence: entry.commit.sequence, state: step.thread.state };
  }
  return newest?.state;
}

function isThreadStep(step: RecordedStep): step is ThreadStep {
  return "thread" in step && isRecord(step.thread);
}
