import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import type { Block } from "../../messages/message.ts";
import type { Recalled } from "../recall.ts";
import type { RecallInput } from "./recall-tool.ts";

/** A thread, a compactor, or what `compact()` gave. */
export interface RecallSource {
  recall(input: RecallInput): Recalled;
}

/**
 * Runs a call of `recall` in a loop of one's own: returns what goes into the result of the call. A mistake of the model's (a handle that does not exist,
 * a range that is none) is said in words that it can correct itself by.
 */
export function runRecall(conversation: RecallSource, input: unknown): string | readonly Block[] {
  try {
    const { content } = conversation.recall(input as RecallInput);
    return content.length === 0 ? EMPTY : content;
  } catch (error) {
    return mistakeOf(error);
  }
}

/** A result may not be empty. */
export const EMPTY = "[empty]";

/** What the model gets for a mistake of its own; anything else is a fault of ours, and thrown on. */
export function mistakeOf(error: unknown): string {
  if (!PalimpsestError.isInstance(error)) throw error;
  return `${error.code}: ${error.message}`;
}
