import type { LogIndex } from "../messages/index-log.ts";
import { blocksOf, isThinking, textBlock, type Block, type Message } from "../messages/message.ts";
import type { Proposal } from "./edit.ts";

interface ChangedMessage {
  /** As many as in the log; undefined where a block is not shown. */
  readonly blocks: (Block | undefined)[];
  note: string | undefined;
  /** The edit that shows here, for the report. */
  edit: Proposal;
  cutBySpan: boolean;
  /** Blocks of thinking that cannot be shown, though no edit is about them. */
  hiddenThinking: number[] | undefined;
  /** When the newest of its edits was made. */
  madeAt: number;
}

const NOTHING: readonly Block[] = [];

/** The messages that are not shown as they are in the log. Whatever is not in here passes through as the same object. */
export class ChangedMessages {
  readonly #log: readonly Message[];
  readonly #blockCounts: readonly number[];
  readonly #changes: (ChangedMessage | undefined)[];

  constructor(log: readonly Message[], { blockCounts }: LogIndex) {
    this.#log = log;
    this.#blockCounts = blockCounts;
    this.#changes = new Array<ChangedMessage | undefined>(log.length);
  }

  /** `edit` is a span, or else text in place of a call, which takes the call's result along. */
  drop(position: number, block: number, edit: Proposal, isSpan: boolean): void {
    let change = this.#changes[position];
    if (change === undefined && this.#blockCounts[position] === 1) {
      change = this.#add(position, [undefined], edit);
    } else {
      change = this.#change(position, edit);
      change.blocks[block] = undefined;
    }
    if (isSpan) change.cutBySpan = true;
  }

  /** Thinking that an edit somewhere below it hides. */
  hideThinking(position: number, block: number, edit: Proposal): void {
    const change = this.#change(position, edit);
    change.blocks[block] = undefined;
    if (change.hiddenThinking === undefined) change.hiddenThinking = [block];
    else change.hiddenThinking.push(block);
  }

  /** Undefined: the block is not shown. */
  replace(position: number, block: number, shown: Block | undefined, edit: Proposal): void {
    this.#change(position, edit).blocks[block] = shown;
  }

  addNote(position: number, note: string, edit: Proposal): void {
    this.#change(position, edit).note = note;
  }

  isDropped(position: number, block: number): boolean {
    const change = this.#changes[position];
    return change !== undefined && change.blocks[block] === undefined;
  }

  has(position: number): boolean {
    return this.#changes[position] !== undefined;
  }

  editAt(position: number): Proposal | undefined {
    return this.#changes[position]?.edit;
  }

  /** Is anything of the message shown, from this block on? */
  showsFrom(position: number, block: number): boolean {
    const change = this.#changes[position];
    if (change === undefined || change.note !== undefined) return true;
    return shownBetween(change.blocks, block, Infinity).length > 0 || this.#isKept(position, change);
  }

  /** The message as it is shown between two of its blocks, or undefined if nothing of it is. */
  part(message: Message, position: number, from: number, to: number): Message | undefined {
    const change = this.#changes[position];
    const shown = shownBetween(change?.blocks ?? blocksOf(message), from, to);
    if (shown.length === 0 && change !== undefined && this.#isKept(position, change)) return from === 0 ? keptMessage(message, change) : undefined;
    const note = to === Infinity ? change?.note : undefined;
    if (shown.length === 0) return note === undefined ? undefined : { ...message, content: note };
    if (note !== undefined) return { ...message, content: withNote(withoutStrayThinking(message, shown), note) };
    const kept = message.role === "assistant" ? withoutStrayThinking(message, shown) : shown;
    if (kept.length === 0) return undefined;
    return { ...message, content: typeof message.content === "string" ? asText(kept) : kept };
  }

  #change(position: number, edit: Proposal): ChangedMessage {
    const change = this.#changes[position];
    if (change === undefined) {
      const message = this.#log[position];
      return this.#add(position, message === undefined ? [] : blocksOf(message).slice(), edit);
    }
    if (change.edit !== edit) {
      change.edit = edit;
      if (edit.madeAt > change.madeAt) change.madeAt = edit.madeAt;
    }
    return change;
  }

  #add(position: number, blocks: (Block | undefined)[], edit: Proposal): ChangedMessage {
    const change = { blocks, note: undefined, edit, cutBySpan: false, hiddenThinking: undefined, madeAt: edit.madeAt };
    this.#changes[position] = change;
    return change;
  }

  /**
   * Stripping never takes a message that is the last one when it is stripped (A1.1, A1.8), then or later: what was shown
   * once is shown until an edit changes it. Nor does it take the message that a system message follows (A1.10). Thinking
   * alone is no message to keep (A4.5).
   */
  #isKept(position: number, change: ChangedMessage): boolean {
    if (change.cutBySpan || change.note !== undefined || change.blocks.some((block) => block !== undefined)) return false;
    const message = this.#log[position];
    if (message === undefined || blocksOf(message).every(isThinking)) return false;
    return change.madeAt === position + 1 || this.#log[position + 1]?.role === "system";
  }
}

/** The same array where all of it is shown. An array that grows by `push` would take many times the room: so it is counted first. */
function shownBetween(blocks: readonly (Block | undefined)[], from: number, to: number): readonly Block[] {
  const end = Math.min(to, blocks.length);
  let count = 0;
  for (let number = from; number < end; number++) if (blocks[number] !== undefined) count++;
  if (count === 0) return NOTHING;
  if (count === blocks.length) return blocks as readonly Block[];
  const shown = new Array<Block>(count);
  let next = 0;
  for (let number = from; number < end; number++) {
    const block = blocks[number];
    if (block !== undefined) shown[next++] = block;
  }
  return shown;
}

/** In an array of just that size, too: a spread leaves room for many more. */
function withNote(blocks: readonly Block[], note: string): readonly Block[] {
  const content = new Array<Block>(blocks.length + 1);
  for (let number = 0; number < blocks.length; number++) content[number] = blocks[number] as Block;
  content[blocks.length] = textBlock(note);
  return content;
}

/** As it is, but for thinking that cannot be shown. */
function keptMessage(message: Message, { hiddenThinking }: ChangedMessage): Message {
  if (hiddenThinking === undefined) return message;
  return { ...message, content: blocksOf(message).filter((_, number) => !hiddenThinking.includes(number)) };
}

/** String content stays a string. */
function asText(blocks: readonly Block[]): string {
  return blocks.map((block) => ("text" in block ? String(block.text) : "")).join("");
}

/** A changed message keeps thinking only where the provider accepts it: first if there is any (A4.4), and never last (A4.5). */
function withoutStrayThinking(message: Message, shown: readonly Block[]): readonly Block[] {
  const first = typeof message.content === "string" ? undefined : message.content[0];
  const shownFirst = shown[0];
  const lostItsStart = first !== shownFirst && first !== undefined && isThinking(first) && shownFirst !== undefined && !isThinking(shownFirst);
  return withoutTrailingThinking(lostItsStart ? shown.filter((block) => !isThinking(block)) : shown);
}

export function withoutTrailingThinking(blocks: readonly Block[]): readonly Block[] {
  let end = blocks.length;
  for (let last = blocks[end - 1]; last !== undefined && isThinking(last); last = blocks[end - 1]) end--;
  return end === blocks.length ? blocks : blocks.slice(0, end);
}
