import { blockCount, blocksOf, isToolResult, isToolUse, type Message } from "../messages/message.ts";
import { comparePlaces, type Place } from "../messages/place.ts";
import type { StoredCommit } from "../store/store.ts";
import { isEdited, isSaid, type CommitContent } from "./commit-content.ts";

export interface Entry {
  readonly commit: StoredCommit;
  readonly content: CommitContent;
}

/** What one append commit added to the log: a message, or some blocks of one. */
export interface Unit {
  /** How many units come before it. */
  readonly number: number;
  readonly commit: StoredCommit;
  readonly position: number;
  /** Its first block. `to` is the block after its last one. */
  readonly from: number;
  readonly to: number;
}

/** A call of a tool that has no result yet. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly position: number;
}

/** Knows which commit each part of a branch came with: messages, edits, and open calls. It grows commit by commit. */
export class CommitIndex {
  readonly #entries: Entry[] = [];
  readonly #sequences = new Map<string, number>();
  readonly #units: Unit[] = [];
  readonly #unitNumbers = new Map<string, number>();
  /** Per edit: the commit that made it. */
  readonly #edits = new Map<string, StoredCommit>();
  /** By id; if an id repeats, the nearest call is last. */
  readonly #open = new Map<string, OpenCall[]>();
  readonly #called = new Set<string>();

  get tip(): string | null {
    return this.#entries.at(-1)?.commit.hash ?? null;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  get units(): readonly Unit[] {
    return this.#units;
  }

  entryOf(hash: string): Entry | undefined {
    const sequence = this.#sequences.get(hash);
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

  /** The commit that made this edit. */
  madeBy(editId: string): StoredCommit | undefined {
    return this.#edits.get(editId);
  }

  /** Returns the nearest call with this id that waits for a result, skipping the first `taken` of them. */
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
    this.#sequences.set(commit.hash, this.#entries.length);
    this.#entries.push(entry);
    if (isSaid(content)) this.#say(commit, content.message, content.joins === true);
    else if (isEdited(content)) this.#edits.set(content.edit.id, commit);
  }

  #say(commit: StoredCommit, message: Message, joins: boolean): void {
    const last = this.#units.at(-1);
    const joined = joins ? last : undefined;
    const position = joined?.position ?? (last === undefined ? 0 : last.position + 1);
    const from = joined?.to ?? 0;
    this.#unitNumbers.set(commit.hash, this.#units.length);
    this.#units.push({ number: this.#units.length, commit, position, from, to: from + blockCount(message) });
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
}
