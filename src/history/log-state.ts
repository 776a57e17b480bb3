import type { Edit } from "../edits/edit.ts";
import { blockCount, blocksOf, isToolResult, isToolUse, type Message } from "../messages/message.ts";
import { parseLog, type ParsedLog } from "../messages/parse-messages.ts";
import { comparePlaces, type Place } from "../messages/place.ts";
import type { StoredCommit } from "../store/store.ts";
import { isEdited, isSaid, type CommitContent, type Said } from "./commit-content.ts";

export interface Entry {
  readonly commit: StoredCommit;
  readonly content: CommitContent;
}

/** What one append commit put into the log: a message, or some blocks of one. */
export interface Unit {
  /** How many lie before it. */
  readonly number: number;
  readonly commit: StoredCommit;
  readonly position: number;
  /** Its first block, and the one behind its last. */
  readonly from: number;
  readonly to: number;
}

export interface MadeEdit {
  readonly edit: Edit;
  /** The commit that made it. */
  readonly commit: StoredCommit;
}

/** A call of a tool that has no result yet. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly position: number;
}

/** What the commits of a branch add up to: the log, the edits, and which commit is where. Grows commit by commit. */
export class LogState {
  readonly #entries: Entry[] = [];
  readonly #bySequence = new Map<string, number>();
  readonly #units: Unit[] = [];
  readonly #unitNumbers = new Map<string, number>();
  readonly #messages: Message[] = [];
  readonly #edits = new Map<string, MadeEdit>();
  /** By id; where an id repeats, the nearest last. */
  readonly #open = new Map<string, OpenCall[]>();
  readonly #called = new Set<string>();
  #parsed: ParsedLog | undefined;

  static of(entries: readonly Entry[]): LogState {
    const state = new LogState();
    for (const entry of entries) state.apply(entry);
    return state;
  }

  get head(): string | null {
    return this.#entries.at(-1)?.commit.hash ?? null;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  get units(): readonly Unit[] {
    return this.#units;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** In the order in which they were made. */
  get edits(): Edit[] {
    return [...this.#edits.values()].map(({ edit }) => edit);
  }

  get inForce(): MadeEdit[] {
    return [...this.#edits.values()].filter(({ edit }) => edit.undoneAt === undefined);
  }

  /** The log, indexed once for each state of it. */
  get parsed(): ParsedLog {
    this.#parsed ??= parseLog([...this.#messages]);
    return this.#parsed;
  }

  entryOf(hash: string): Entry | undefined {
    const sequence = this.#bySequence.get(hash);
    return sequence === undefined ? undefined : this.#entries[sequence];
  }

  unitOf(hash: string): Unit | undefined {
    const number = this.#unitNumbers.get(hash);
    return number === undefined ? undefined : this.#units[number];
  }

  /** The unit that holds the block. */
  unitAt(at: Place): Unit | undefined {
    let low = 0;
    let high = this.#units.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const unit = this.#units[middle];
      if (unit !== undefined && comparePlaces({ position: unit.position, block: unit.from }, at) <= 0) low = middle + 1;
      else high = middle;
    }
    const unit = this.#units[low - 1];
    return unit?.position === at.position ? unit : undefined;
  }

  editOf(id: string): MadeEdit | undefined {
    return this.#edits.get(id);
  }

  /** The nearest call with this id that waits for a result, but for so many. */
  openCall(id: string, taken = 0): OpenCall | undefined {
    return this.#open.get(id)?.at(-1 - taken);
  }

  get openCalls(): string[] {
    return [...this.#open.keys()];
  }

  wasCalled(id: string): boolean {
    return this.#called.has(id);
  }

  apply(entry: Entry): void {
    const { commit, content } = entry;
    this.#bySequence.set(commit.hash, this.#entries.length);
    this.#entries.push(entry);
    if (isSaid(content)) this.#say(commit, content);
    else if (isEdited(content)) this.#edit(commit, content.edit);
    else this.#undo(content.undo.edit, content.undo.undoneAt);
  }

  #say(commit: StoredCommit, { message, joins }: Said): void {
    const last = this.#messages.at(-1);
    const before = joins === true ? last : undefined;
    if (before === undefined) this.#messages.push(message);
    else this.#messages[this.#messages.length - 1] = Object.freeze({ ...before, content: Object.freeze([...blocksOf(before), ...blocksOf(message)]) });
    const position = this.#messages.length - 1;
    const from = before === undefined ? 0 : blockCount(before);
    this.#unitNumbers.set(commit.hash, this.#units.length);
    this.#units.push({ number: this.#units.length, commit, position, from, to: from + blockCount(message) });
    this.#parsed = undefined;
    this.#noteCalls(message, position);
  }

  #noteCalls(message: Message, position: number): void {
    for (const block of blocksOf(message)) {
      if (message.role === "assistant" && isToolUse(block)) {
        const waiting = this.#open.get(block.id);
        const call = { id: block.id, name: block.name, position };
        this.#called.add(block.id);
        if (waiting === undefined) this.#open.set(block.id, [call]);
        else waiting.push(call);
      } else if (message.role === "user" && isToolResult(block)) {
        const waiting = this.#open.get(block.tool_use_id);
        waiting?.pop();
        if (waiting?.length === 0) this.#open.delete(block.tool_use_id);
      }
    }
  }

  /** Made and undone before the log grew, and now made again, it has the same id: it is the newest then. */
  #edit(commit: StoredCommit, edit: Edit): void {
    this.#edits.delete(edit.id);
    this.#edits.set(edit.id, { edit, commit });
  }

  #undo(id: string, undoneAt: number): void {
    const made = this.#edits.get(id);
    if (made !== undefined) this.#edits.set(id, { ...made, edit: { ...made.edit, undoneAt } });
  }
}
