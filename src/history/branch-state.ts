import { Conversation } from "../conversation/conversation.ts";
import type { Edit } from "../edits/edit.ts";
import { blocksOf, type Message } from "../messages/message.ts";
import { DEFAULT_TARGET } from "../messages/target.ts";
import type { StoredCommit } from "../store/store.ts";
import { isEdited, isSaid } from "./commit-content.ts";
import { CommitIndex, type Entry } from "./commit-index.ts";

export interface MadeEdit {
  readonly edit: Edit;
  /** The commit that made it. */
  readonly commit: StoredCommit;
}

/** The result of a branch's commits: a conversation, and which commit each part of it came with. */
export class BranchState extends CommitIndex {
  readonly conversation: Conversation;

  constructor(thread: string) {
    super();
    // In a history, the model has seen every edit since it was made.
    this.conversation = new Conversation(DEFAULT_TARGET, { id: thread, log: [], edits: [], pins: [], seenFrom: 0, steps: [] });
  }

  static of(thread: string, entries: readonly Entry[]): BranchState {
    const state = new BranchState(thread);
    for (const entry of entries) state.apply(entry);
    return state;
  }

  get messages(): readonly Message[] {
    return this.conversation.log;
  }

  /** In the order they were made. */
  get edits(): readonly Edit[] {
    return this.conversation.edits;
  }

  get inForce(): MadeEdit[] {
    return this.conversation.inForce.map((edit) => this.#made(edit));
  }

  editOf(id: string): MadeEdit | undefined {
    const edit = this.conversation.editOf(id);
    return edit === undefined ? undefined : this.#made(edit);
  }

  override apply(entry: Entry): void {
    super.apply(entry);
    const { content } = entry;
    if (isSaid(content)) {
      if (content.joins === true && this.conversation.length > 0) this.conversation.extendLast(blocksOf(content.message));
      else this.conversation.append(content.message);
    } else if (isEdited(content)) this.conversation.accept(content.edit);
    else this.conversation.acceptUndo(content.undo.edit, content.undo.undoneAt);
  }

  #made(edit: Edit): MadeEdit {
    return { edit, commit: this.madeBy(edit.id) as StoredCommit };
  }
}
