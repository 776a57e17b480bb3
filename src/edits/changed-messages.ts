import type { LogIndex } from "../messages/index-log.ts";
import { blocksOf, isThinking, textBlock, type Block, type Message, type TextBlock } from "../messages/message.ts";
import { countBefore, type Place } from "../messages/place.ts";
import type { Proposal } from "./edit.ts";

/** How many blocks have a bit in the bit set of their message. */
const BITS = 30;
/** The bit that says that the message lost blocks to a span, or a result together with its call. */
const CUT = 1 << BITS;
const NOTHING: readonly Block[] = [];

/**
 * The messages that are not shown as they are in the log. All others pass through as the same objects. One pass may change
 * nearly every message, mostly by dropping a block: that takes one bit, and neither an object for the message nor a copy of its blocks.
 */
export class ChangedMessages {
  readonly #log: readonly Message[];
  readonly #blockCounts: readonly number[];
  readonly #thinking: readonly Place[];
  /** The first place of thinking that is not before the last message requested. */
  #nextThinking = 0;
  /** The edit that shows at each position. Undefined: the message is unchanged. */
  readonly #edits: (Proposal | undefined)[];
  /** For each position with an edit: a bit for each of the first blocks that is not shown, as long as there are no `#blocks`, and `CUT`. */
  readonly #words: number[];
  /** For each position, as many blocks as in the log, undefined for those not shown. Created when a block is replaced. */
  #blocks: ((Block | undefined)[] | undefined)[] | undefined;
  #notes: (string | undefined)[] | undefined;
  /** Thinking that cannot be shown, though no edit is about it. */
  readonly #hiddenThinking: Place[] = [];
  /** When the newest edit of a position was made, if that is not the one in `#edits`. */
  readonly #newerMadeAt = new Map<number, number>();

  constructor(log: readonly Message[], { blockCounts, thinking }: LogIndex) {
    this.#log = log;
    this.#blockCounts = blockCounts;
    this.#thinking = thinking;
    this.#edits = new Array<Proposal | undefined>(log.length);
    this.#words = new Array<number>(log.length);
  }

  /** Drops a block because of a span, or of a text in place of a call, which takes the call's result along: no message is kept for half of a pair. */
  drop(position: number, block: number, edit: Proposal): void {
    this.#setEdit(position, edit);
    this.#drop(position, block);
    this.#words[position] = this.#wordAt(position) | CUT;
  }

  /** Hides thinking because of an edit before it. Places must come in ascending order. */
  hideThinking(at: Place, edit: Proposal): void {
    this.#setEdit(at.position, edit);
    this.#drop(at.position, at.block);
    this.#hiddenThinking[this.#hiddenThinking.length] = at;
  }

  /** Undefined: the block is not shown. */
  replace(position: number, block: number, shown: Block | undefined, edit: Proposal): void {
    this.#setEdit(position, edit);
    if (shown === undefined) this.#drop(position, block);
    else this.#blocksToChange(position)[block] = shown;
  }

  addNote(position: number, note: string, edit: Proposal): void {
    this.#setEdit(position, edit);
    this.#notes ??= new Array<string | undefined>(this.#log.length);
    this.#notes[position] = note;
  }

  isDropped(position: number, block: number): boolean {
    return this.has(position) && !this.#isShown(position, block);
  }

  has(position: number): boolean {
    return this.#edits[position] !== undefined;
  }

  editAt(position: number): Proposal | undefined {
    return this.#edits[position];
  }

  /** Returns whether anything of the message is shown, from this block on. */
  showsFrom(position: number, block: number): boolean {
    return !this.has(position) || this.#notes?.[position] !== undefined || this.#showsBlockFrom(position, block) || this.#isKept(position);
  }

  /** Returns the message as shown between two of its blocks, or undefined if nothing of it is shown. Messages must be requested in ascending order. */
  part(message: Message, position: number, from: number, to: number): Message | undefined {
    const note = to === Infinity ? this.#notes?.[position] : undefined;
    const shown = this.has(position) ? this.#shownBetween(message, position, from, to, note) : blocksOf(message).slice(from, to);
    if (shown.length === 0) {
      if (this.#isKept(position)) return from === 0 ? this.#keptMessage(message, position) : undefined;
      return note === undefined ? undefined : { ...message, content: note };
    }
    const kept = this.#showsThinking(position) ? withoutStrayThinking(message, shown) : shown;
    if (kept.length === 0) return undefined;
    return { ...message, content: typeof message.content === "string" && note === undefined ? asText(kept) : kept };
  }

  /** The index says where thinking is, and the bits which of it is dropped, so for most messages no block has to be read. */
  #showsThinking(position: number): boolean {
    const thinking = this.#thinking;
    let at = thinking[this.#nextThinking];
    while (at !== undefined && at.position < position) at = thinking[++this.#nextThinking];
    for (let next = this.#nextThinking; at?.position === position; at = thinking[++next]) if (this.#isShown(position, at.block)) return true;
    return false;
  }

  #setEdit(position: number, edit: Proposal): void {
    const before = this.#edits[position];
    if (before === edit) return;
    if (before === undefined) this.#words[position] = 0;
    else if (before.madeAt > edit.madeAt) this.#newerMadeAt.set(position, Math.max(before.madeAt, this.#newerMadeAt.get(position) ?? 0));
    this.#edits[position] = edit;
  }

  #wordAt(position: number): number {
    return this.#words[position] ?? 0;
  }

  #drop(position: number, block: number): void {
    const blocks = this.#blocks?.[position];
    if (blocks === undefined && block < BITS) this.#words[position] = this.#wordAt(position) | (1 << block);
    else (blocks ?? this.#blocksToChange(position))[block] = undefined;
  }

  #blocksToChange(position: number): (Block | undefined)[] {
    this.#blocks ??= new Array<(Block | undefined)[] | undefined>(this.#log.length);
    const known = this.#blocks[position];
    if (known !== undefined) return known;
    const blocks = blocksOf(this.#log[position] as Message).map((block, number) => (this.#isShown(position, number) ? block : undefined));
    this.#blocks[position] = blocks;
    return blocks;
  }

  #isShown(position: number, block: number): boolean {
    return isShown(this.#blocks?.[position], this.#wordAt(position), block);
  }

  #showsBlockFrom(position: number, block: number): boolean {
    const end = this.#blockCounts[position] ?? 0;
    for (let number = block; number < end; number++) if (this.#isShown(position, number)) return true;
    return false;
  }

  /** Returns the blocks shown, and the note after them, in an array of exactly that size: one that grows by `push` would take many times the memory. */
  #shownBetween(message: Message, position: number, from: number, to: number, note: string | undefined): readonly Block[] {
    const changed = this.#blocks?.[position];
    const word = this.#wordAt(position);
    const end = Math.min(to, this.#blockCounts[position] ?? 0);
    let count = 0;
    for (let number = from; number < end; number++) if (isShown(changed, word, number)) count++;
    if (count === 0) return NOTHING;
    const blocks = changed ?? blocksOf(message);
    const shown = new Array<Block>(note === undefined ? count : count + 1);
    let next = 0;
    for (let number = from; number < end; number++) if (isShown(changed, word, number)) shown[next++] = blocks[number] as Block;
    if (note !== undefined) shown[next] = textBlock(note);
    return shown;
  }

  /**
   * Stripping never removes a message that is the last one when it is stripped (A1.1, A1.8), not even later: what was shown
   * once is shown until an edit changes it. Nor does it remove a message that a system message follows (A1.10). A message of
   * thinking alone is not kept (A4.5).
   */
  #isKept(position: number): boolean {
    const edit = this.#edits[position];
    if (edit === undefined || (this.#wordAt(position) & CUT) !== 0) return false;
    if (this.#showsBlockFrom(position, 0) || blocksOf(this.#log[position] as Message).every(isThinking)) return false;
    const madeAt = Math.max(edit.madeAt, this.#newerMadeAt.get(position) ?? 0);
    return madeAt === position + 1 || this.#log[position + 1]?.role === "system";
  }

  /** Returns the message unchanged, except for thinking that cannot be shown. */
  #keptMessage(message: Message, position: number): Message {
    const hidden = new Set<number>();
    const all = this.#hiddenThinking;
    for (let number = countBefore(all, { position, block: 0 }); all[number]?.position === position; number++) hidden.add(all[number]?.block ?? 0);
    return hidden.size === 0 ? message : { ...message, content: blocksOf(message).filter((_, number) => !hidden.has(number)) };
  }
}

function isShown(blocks: readonly (Block | undefined)[] | undefined, word: number, block: number): boolean {
  return blocks === undefined ? block >= BITS || (word & (1 << block)) === 0 : blocks[block] !== undefined;
}

/** String content stays a string: it is one block, a text or what replaces that. */
function asText([block]: readonly Block[]): string {
  return (block as TextBlock).text;
}

/** A changed message keeps thinking only where the provider accepts it: first if there is any (A4.4), and never last (A4.5). */
function withoutStrayThinking(message: Message, shown: readonly Block[]): readonly Block[] {
  const lostItsStart = isThinking(blocksOf(message)[0] as Block) && !isThinking(shown[0] as Block);
  return withoutTrailingThinking(lostItsStart ? shown.filter((block) => !isThinking(block)) : shown);
}

export function withoutTrailingThinking(blocks: readonly Block[]): readonly Block[] {
  return blocks.slice(0, blocks.findLastIndex((block) => !isThinking(block)) + 1);
}
