import { blocksOf, isText, isThinking, isToolResult, isToolUse, type Block, type Message } from "../../../src/messages/message.ts";
import { runTool } from "../agents/busy-agent.ts";
import type { ResultPlan } from "../blocks.ts";
import { text } from "../build.ts";
import type { Dice } from "../threads/dice.ts";

/** How a client keeps what it is given, and writes it when it sends it again. */
export interface ClientHabits {
  readonly drops: "nothing" | "finished" | "all";
  /** Adds what its tools take by default to the inputs of calls. */
  readonly defaults: boolean;
  /** A message of one text block is a string now and then. */
  readonly strings: boolean;
  readonly markers: boolean;
}

/** What it has to say, and its tools. */
export interface Stock {
  readonly words: readonly (readonly Block[])[];
  readonly results: readonly ResultPlan[];
}

/** A message of the client's, and what the front end has of it. */
export interface Entry {
  readonly message: Message;
  /** Messages that it takes in the log. */
  readonly size: number;
  /** Nothing of ours stands in it. */
  readonly isOwn: boolean;
  /** Blocks of thinking that it was given with. */
  readonly thoughts: number;
  /** Calls of ours beside those of the client's: their results come with its next message. */
  readonly holds: boolean;
}

/** One conversation, as its client has it. */
export type Talk = readonly Entry[];

/** A client that knows nothing of what stands between it and the model. */
export class RandomClient {
  readonly #habits: ClientHabits;
  readonly #stock: Stock;

  constructor(habits: ClientHabits, stock: Stock) {
    this.#habits = habits;
    this.#stock = stock;
  }

  /** With the user's next message: results of all calls that are open, or words. */
  spoken(talk: Talk, dice: Dice): Talk {
    const last = talk.at(-1);
    const uses = last === undefined ? [] : blocksOf(last.message).filter(isToolUse);
    const results = uses.map(({ id, input }): Block => Object.assign({ type: "tool_result", tool_use_id: id }, this.#result(input, dice)));
    const content = results.length > 0 && !dice.once(6) ? results : [...results, ...this.#words(dice)];
    return [...talk, { message: { role: "user", content }, size: 1, isOwn: last?.holds !== true, thoughts: 0, holds: false }];
  }

  said(words: string): Entry {
    return { message: { role: "user", content: [text(words)] }, size: 1, isOwn: true, thoughts: 0, holds: false };
  }

  /** What the client was answered, as it keeps it. */
  kept(content: readonly Block[], answers: readonly (readonly Block[])[], holds: boolean): Entry {
    const { drops, defaults } = this.#habits;
    const blocks = content
      .filter((block) => drops !== "all" || !isThinking(block))
      .map((block) => (defaults && isToolUse(block) ? Object.assign({}, block, { input: { ...(block.input as object), limit: 2_000 } }) : block));
    const thoughts = content.filter(isThinking).length;
    return { message: { role: "assistant", content: blocks }, size: 2 * answers.length - 1, isOwn: answers.length === 1 && !holds, thoughts, holds };
  }

  /** As it sends them: fresh objects, and nobody may change them. */
  written(talk: Talk, dice: Dice): Message[] {
    const { drops, strings, markers } = this.#habits;
    const spoken = talk.findLastIndex(({ message }) => message.role === "user" && !blocksOf(message).some(isToolResult));
    const messages = talk.map(({ message }, number): Message => {
      const isBare = drops === "finished" && number < spoken && message.role === "assistant";
      const content = structuredClone(blocksOf(message)).filter((block) => !(isBare && isThinking(block)));
      const [only] = content;
      if (strings && content.length === 1 && only !== undefined && isText(only) && dice.once(2)) return { role: message.role, content: only.text };
      return { role: message.role, content };
    });
    return markers ? marked(messages, dice) : messages;
  }

  #words(dice: Dice): readonly Block[] {
    const { words } = this.#stock;
    return words.length === 0 || dice.once(2) ? [text(`Look at part ${dice.below(50)}.`)] : dice.of(words);
  }

  #result(input: unknown, dice: Dice): ResultPlan {
    const { results } = this.#stock;
    return results.length === 0 || dice.once(2) ? { content: runTool("read", input).text } : dice.of(results);
  }
}

const MARKABLE: ReadonlySet<string> = new Set(["text", "tool_result"]);

function marked(messages: readonly Message[], dice: Dice): Message[] {
  const places = new Set([messages.length - 1, ...(dice.once(2) ? [dice.below(messages.length)] : [])]);
  return messages.map((message, number) => {
    const last = typeof message.content === "string" ? undefined : message.content.at(-1);
    if (!places.has(number) || typeof message.content === "string" || last === undefined || !MARKABLE.has(last.type)) return message;
    return { ...message, content: [...message.content.slice(0, -1), Object.assign({}, last, { cache_control: { type: "ephemeral" } })] };
  });
}
