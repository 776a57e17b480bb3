import { blocksOf, isToolResult, resultText, type Block, type Message, type ToolResultBlock } from "../../../src/messages/message.ts";
import type { TokensOfBlock } from "../measure/token-counters.ts";

/** A result in a log. */
export interface ResultPlace {
  readonly position: number;
  readonly block: number;
  readonly result: ToolResultBlock;
}

const placesIn = new WeakMap<Message, readonly { readonly block: number; readonly result: ToolResultBlock }[]>();

export function resultsIn(log: readonly Message[]): ResultPlace[] {
  return log.flatMap((message, position) => {
    let own = placesIn.get(message);
    if (own === undefined) {
      own = blocksOf(message).flatMap((block, number) => (isToolResult(block) ? [{ block: number, result: block }] : []));
      placesIn.set(message, own);
    }
    return own.map((place) => ({ position, ...place }));
  });
}

/** The positions of the results of the newest round: those after the last message of the assistant. */
export function lastAssistant(log: readonly Message[]): number {
  return log.findLastIndex(({ role }) => role === "assistant");
}

/** The message with other texts in its results; the same object, if none is given. */
export function withResults(message: Message, texts: ReadonlyMap<number, string>): Message {
  if (texts.size === 0 || typeof message.content === "string") return message;
  return { ...message, content: message.content.map((block, number) => (texts.has(number) ? { ...block, content: texts.get(number) ?? "" } : block)) };
}

/**
 * Replaces results by other texts. The same replacement is always the same object, so that readers of views can compare by
 * identity.
 */
export class Rewriter {
  readonly #made = new Map<Message, Map<string, Message>>();

  /** `textOf` gives the new text of a result, or undefined to leave it. */
  apply(log: readonly Message[], textOf: (place: ResultPlace) => string | undefined): Message[] {
    const changed = new Map<number, Map<number, string>>();
    for (const place of resultsIn(log)) {
      const text = textOf(place);
      if (text === undefined || text === resultText(place.result)) continue;
      const own = changed.get(place.position);
      if (own === undefined) changed.set(place.position, new Map([[place.block, text]]));
      else own.set(place.block, text);
    }
    return log.map((message, position) => this.#withTexts(message, changed.get(position)));
  }

  #withTexts(message: Message, texts: ReadonlyMap<number, string> | undefined): Message {
    if (texts === undefined) return message;
    const key = [...texts].map(([block, text]) => `${block}:${text.length}:${text}`).join("|");
    let made = this.#made.get(message);
    if (made === undefined) this.#made.set(message, (made = new Map()));
    let changed = made.get(key);
    if (changed === undefined) made.set(key, (changed = withResults(message, texts)));
    return changed;
  }
}

export function tokensIn(messages: readonly Message[], tokensOf: TokensOfBlock): number {
  let sum = 0;
  for (const message of messages) for (const block of sameBlocks(message)) sum += tokensOf(block);
  return sum;
}

const blocksIn = new WeakMap<Message, readonly Block[]>();

/** The blocks of a message, as the same objects each time, so that they are counted once. */
function sameBlocks(message: Message): readonly Block[] {
  if (typeof message.content !== "string") return message.content;
  let blocks = blocksIn.get(message);
  if (blocks === undefined) blocksIn.set(message, (blocks = blocksOf(message)));
  return blocks;
}

export function headAndTail(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const half = Math.floor(chars / 2);
  return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters cut …]\n${text.slice(-half)}`;
}
