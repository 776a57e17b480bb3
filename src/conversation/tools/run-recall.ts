import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import type { Block } from "../../messages/message.ts";
import type { Recalled } from "../recall.ts";
import type { RecallInput } from "./recall-tool.ts";

/** A thread, a compactor, or what `compact()` returned. */
export interface RecallSource {
  recall(input: RecallInput): Recalled;
}

/**
 * Runs a call of `recall` in your own loop: returns the content for the result of the call. If the model made a mistake (an unknown handle,
 * an invalid range), that is a text from which it can correct itself.
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

/** Returns the text that tells the model about its mistake; anything else is a bug of ours, and is thrown again. */
export function mistakeOf(error: unknown): string {
  if (!PalimpsestError.isInstance(error)) throw error;
  return `${error.code}: ${error.message}`;
}
