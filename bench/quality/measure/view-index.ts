import { blocksOf, type Block, type Message } from "../../../src/messages/message.ts";
import { segmentsOf } from "./segments.ts";
import type { TokensOfBlock } from "./token-counters.ts";
import type { ValueTable } from "./value-table.ts";

/** What is asked of a message of a view, at every call that sends it. */
export interface IndexedMessage {
  readonly message: Message;
  /** A number for each block: the same number, the same bytes. */
  readonly blocks: readonly number[];
  readonly blockTokens: readonly number[];
  readonly tokens: number;
  /** The texts that have a value, for each value in the message. */
  readonly holders: ReadonlyMap<number, readonly string[]>;
}

/** Reads each message object once: views share most of theirs with the views before them. */
export class ViewIndex {
  readonly #table: ValueTable;
  readonly #tokensOf: TokensOfBlock;
  readonly #messages = new WeakMap<Message, IndexedMessage>();
  readonly #blockNumbers = new Map<string, Map<string, number>>();
  /** By the number of the block. */
  readonly #tokens: (number | undefined)[] = [];
  readonly #numberOf = new WeakMap<Block, number>();

  constructor(table: ValueTable, tokensOf: TokensOfBlock) {
    this.#table = table;
    this.#tokensOf = tokensOf;
  }

  get(message: Message): IndexedMessage {
    let indexed = this.#messages.get(message);
    if (indexed === undefined) this.#messages.set(message, (indexed = this.#read(message)));
    return indexed;
  }

  #read(message: Message): IndexedMessage {
    const holders = new Map<number, string[]>();
    for (const { text } of segmentsOf(message)) {
      for (const number of this.#table.hitsIn(text).keys()) {
        const known = holders.get(number);
        if (known === undefined) holders.set(number, [text]);
        else known.push(text);
      }
    }
    const blocks = blocksOf(message);
    const numbers = blocks.map((block) => this.#numberOfBlock(message.role, block));
    const sizes = blocks.map((block, place) => this.#tokensOfBlock(block, numbers[place] ?? 0));
    return { message, blocks: numbers, blockTokens: sizes, tokens: sizes.reduce((sum, tokens) => sum + tokens, 0), holders };
  }

  #numberOfBlock(role: string, block: Block): number {
    const known = this.#numberOf.get(block);
    if (known !== undefined) return known;
    const [text, rest] = splitBlock(block);
    let withText = this.#blockNumbers.get(text);
    if (withText === undefined) this.#blockNumbers.set(text, (withText = new Map()));
    const key = `${role} ${rest}`;
    let number = withText.get(key);
    if (number === undefined) withText.set(key, (number = this.#tokens.push(undefined) - 1));
    this.#numberOf.set(block, number);
    return number;
  }

  #tokensOfBlock(block: Block, number: number): number {
    return (this.#tokens[number] ??= this.#tokensOf(block));
  }
}

/** Its long text, which a copy has as the same string, and the bytes of the rest: so no text is written down to be compared. */
function splitBlock(block: Block): readonly [text: string, rest: string] {
  for (const field of ["text", "content", "thinking"]) {
    const text = (block as Block & Readonly<Record<string, unknown>>)[field];
    if (typeof text === "string") return [text, JSON.stringify({ ...block, [field]: 0 })];
  }
  return ["", JSON.stringify(block)];
}
