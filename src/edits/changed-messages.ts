import type { LogIndex } from "../messages/index-log.ts";
import { blocksOf, isThinking, textBlock, type Block, type Message } from "../messages/message.ts";
import type { Place } from "../messages/place.ts";
import type { Proposal } from "./edit.ts";

interface ChangedMessage {
  /** How many blocks are shown. */
  shown: number;
  /** A bit for each of the first blocks that is not shown, as long as there are no `blocks`. */
  dropped: number;
  /** As many as in the log, undefined where a block is not shown. Made when a block is shown in another form. */
  blocks: (Block | undefined)[] | undefined;
  note: string | undefined;
  /** The edit that shows here, for the report. */
  edit: Proposal;
  cutBySpan: boolean;
  /** Blocks of thinking that cannot be shown, though no edit is about them. */
  hiddenThinking: number[] | undefined;
  /** When the newest of its edits was made. */
  madeAt: number;
}

/** So many blocks have a bit in `dropped`. */
const BITS = 31;
const NOTHING: readonly Block[] = [];

/**
 * The messages that are not shown as they are in the log. Whatever is not in here passes through as the same object. One pass may change
 * nearly every message, mostly by dropping a block: so no blocks are copied for that.
 */
export class ChangedMessages {
  readonly #log: readonly Message[];
  readonly #blockCounts: readonly number[];
  readonly #thinking: readonly Place[];
  /** The first place of thinking that does not lie before the message whose part was asked for last. */
  #nextThinking = 0;
  readonly #changes: (ChangedMessage | undefined)[];

  constructor(log: readonly Message[], { blockCounts, thinking }: LogIndex) {
    this.#log = log;
    this.#blockCounts = blockCounts;
    this.#thinking = thinking;
    this.#changes = new Array<ChangedMessage | undefined>(log.length);
  }

  /** `edit` is a span, or else text in place of a call, which takes the call's result along. */
  drop(position: number, block: number, edit: Proposal, isSpan: boolean): void {
    const change = this.#change(position, edit);
    this.#drop(change, position, block);
    if (isSpan) change.cutBySpan = true;
  }

  /** Thinking that an edit somewhere below it hides. */
  hideThinking(position: number, block: number, edit: Proposal): void {
    const change = this.#change(position, edit);
    this.#drop(change, position, block);
    if (change.hiddenThinking === undefined) change.hiddenThinking = [block];
    else change.hiddenThinking.push(block);
  }

  /** Undefined: the block is not shown. */
  replace(position: number, block: number, shown: Block | undefined, edit: Proposal): void {
    const change = this.#change(position, edit);
    if (shown === undefined) this.#drop(change, position, block);
    else this.#blocksToChange(change, position)[block] = shown;
  }

  addNote(position: number, note: string, edit: Proposal): void {
    this.#change(position, edit).note = note;
  }

  isDropped(position: number, block: number): boolean {
    const change = this.#changes[position];
    return change !== undefined && !isShown(change, block);
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
    if (change === undefined || change.note !== undefined || this.#isKept(position, change)) return true;
    const end = this.#blockCounts[position] ?? 0;
    for (let number = block; number < end; number++) if (isShown(change, number)) return true;
    return false;
  }

  /** The message as it is shown between two of its blocks, or undefined if nothing of it is. Messages must be asked for in ascending order. */
  part(message: Message, position: number, from: number, to: number): Message | undefined {
    const change = this.#changes[position];
    const note = to === Infinity ? change?.note : undefined;
    const shown = change === undefined ? blocksOf(message).slice(from, to) : shownBetween(message, change, from, to, note);
    if (shown.length === 0) {
      if (change !== undefined && this.#isKept(position, change)) return from === 0 ? keptMessage(message, change) : undefined;
      return note === undefined ? undefined : { ...message, content: note };
    }
    // A note stands for a round, which takes all thinking of its message along.
    const kept = note === undefined && this.#hasThinking(position) ? withoutStrayThinking(message, shown) : shown;
    if (kept.length === 0) return undefined;
    return { ...message, content: typeof message.content === "string" && note === undefined ? asText(kept) : kept };
  }

  /** Of most messages the index says that they have none, so that none of their blocks has to be read. */
  #hasThinking(position: number): boolean {
    let at = this.#thinking[this.#nextThinking];
    while (at !== undefined && at.position < position) at = this.#thinking[++this.#nextThinking];
    return at?.position === position;
  }

  #change(position: number, edit: Proposal): ChangedMessage {
    const change = this.#changes[position];
    if (change === undefined) return this.#add(position, edit);
    if (change.edit !== edit) {
      change.edit = edit;
      if (edit.madeAt > change.madeAt) change.madeAt = edit.madeAt;
    }
    return change;
  }

  #add(position: number, edit: Proposal): ChangedMessage {
    const shown = this.#blockCounts[position] ?? 0;
    const change = { shown, dropped: 0, blocks: undefined, note: undefined, edit, cutBySpan: false, hiddenThinking: undefined, madeAt: edit.madeAt };
    this.#changes[position] = change;
    return change;
  }

  #drop(change: ChangedMessage, position: number, block: number): void {
    if (!isShown(change, block)) return;
    change.shown--;
    if (change.blocks === undefined && block < BITS) change.dropped |= 1 << block;
    else this.#blocksToChange(change, position)[block] = undefined;
  }

  #blocksToChange(change: ChangedMessage, position: number): (Block | undefined)[] {
    const message = this.#log[position];
    change.blocks ??= message === undefined ? [] : blocksOf(message).map((block, number) => (isShown(change, number) ? block : undefined));
    return change.blocks;
  }

  /**
   * Stripping never takes a message that is the last one when it is stripped (A1.1, A1.8), then or later: what was shown
   * once is shown until an edit changes it. Nor does it take the message that a system message follows (A1.10). Thinking
   * alone is no message to keep (A4.5).
   */
  #isKept(position: number, change: ChangedMessage): boolean {
    if (change.cutBySpan || change.note !== undefined || change.shown > 0) return false;
    const message = this.#log[position];
    if (message === undefined || blocksOf(message).every(isThinking)) return false;
    return change.madeAt === position + 1 || this.#log[position + 1]?.role === "system";
  }
}

function isShown({ blocks, dropped }: ChangedMessage, block: number): boolean {
  return blocks === undefined ? block >= BITS || (dropped & (1 << block)) === 0 : blocks[block] !== undefined;
}

/** The blocks, and the note behind them if there are any, in an array of just that size: one that grows by `push` would take many times the room. */
function shownBetween(message: Message, change: ChangedMessage, from: number, to: number, note: string | undefined): readonly Block[] {
  if (change.shown === 0) return NOTHING;
  const blocks = change.blocks ?? blocksOf(message);
  const end = Math.min(to, blocks.length);
  let count = 0;
  for (let number = from; number < end; number++) if (isShown(change, number)) count++;
  if (count === 0) return NOTHING;
  const shown = new Array<Block>(note === undefined ? count : count + 1);
  let next = 0;
  for (let number = from; number < end; number++) if (isShown(change, number)) shown[next++] = blocks[number] as Block;
  if (note !== undefined) shown[next] = textBlock(note);
  return shown;
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
