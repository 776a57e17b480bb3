import type { PlacedCheckpoint } from "../messages/checkpoint.ts";
import { GrowingIndex, type LogIndex } from "../messages/index-log.ts";
import { blocksOf, type Block, type CheckpointBlock, type Message } from "../messages/message.ts";

/** The append-only log of a conversation, with its index and checkpoints kept up to date. */
export class IndexedLog {
  readonly #messages: Message[] = [];
  readonly #checkpoints: PlacedCheckpoint[] = [];
  #growing: GrowingIndex | undefined;
  /** The index of the first `indexed` messages. */
  #index: LogIndex | undefined;
  #indexed = 0;

  constructor(messages: readonly Message[]) {
    for (const message of messages) this.push(message);
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  get length(): number {
    return this.#messages.length;
  }

  /** The index of the current log. Updated on demand, as results of one round may come in one by one. */
  get index(): LogIndex {
    const { length } = this.#messages;
    if (this.#index !== undefined && this.#indexed === length) return this.#index;
    this.#growing ??= new GrowingIndex(length);
    this.#index = this.#growing.extendTo(this.#messages);
    this.#indexed = length;
    return this.#index;
  }

  /** All checkpoints issued here, including those inside summaries. */
  get checkpoints(): readonly PlacedCheckpoint[] {
    return this.#checkpoints;
  }

  push(message: Message): number {
    const position = this.#messages.length;
    this.#messages.push(message);
    this.#noteCheckpoints(message, position);
    return position;
  }

  /** Adds blocks to the last message: results of one round that come one by one. */
  extendLast(blocks: readonly Block[]): Message {
    const position = this.#messages.length - 1;
    const last = this.#messages[position] ?? { role: "user", content: [] };
    const joined = Object.freeze({ ...last, content: Object.freeze([...blocksOf(last), ...blocks]) });
    this.#messages[position] = joined;
    if (this.#indexed > position) {
      this.#growing = undefined;
      this.#index = undefined;
    }
    return joined;
  }

  #noteCheckpoints(message: Message, position: number): void {
    if (message.role !== "user") return;
    blocksOf(message).forEach((block, number) => {
      if (isCheckpoint(block)) this.#checkpoints.push({ id: block.id, position, block: number });
    });
  }
}

export function isCheckpoint(block: Block): block is CheckpointBlock {
  return block.type === "checkpoint";
}
