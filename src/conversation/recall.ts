import { PalimpsestError } from "../errors/palimpsest-error.ts";
import { isText, textBlock, type Block, type Message } from "../messages/message.ts";
import { originalPart, originalParts } from "../passes/original-parts.ts";
import { excerpt } from "./excerpt.ts";
import type { Handles } from "./handles.ts";
import { originalOf } from "./originals.ts";
import { parseRecallInput } from "./tools/recall-tool.ts";

export interface Recalled {
  readonly handle: string;
  /** Text; blocks where the original is more than text, and all of it was asked for. */
  readonly content: string | readonly Block[];
}

/** Gives back what a handle names, or the part of it that is asked for. */
export function recallFrom(log: readonly Message[], handles: Handles, input: unknown): Recalled {
  const asked = parseRecallInput(input);
  const { edits, parts } = handles.named(asked.handle);
  const { text, content } = originalOf(log, edits);
  if (parts !== undefined) return { handle: asked.handle, content: excerpt(partOf(text, parts, asked.handle), asked) };
  const shown = excerpt(text, asked);
  if (content === undefined || asked.lines !== undefined || asked.grep !== undefined) return { handle: asked.handle, content: shown };
  // What is no text has no length that could be cut.
  return { handle: asked.handle, content: shown === text ? content : [textBlock(shown), ...content.filter((block) => !isText(block))] };
}

function partOf(text: string, { first, last }: { readonly first: number; readonly last: number }, handle: string): string {
  const found = originalPart(text, first, last);
  if (found !== undefined) return found;
  const { length } = originalParts(text);
  const asked = first === last ? `There is no part ${first}` : `There are no parts ${first} to ${last}`;
  const message = `${asked} of what ${JSON.stringify(handle)} names: it has ${length === 1 ? "no parts" : `parts 1 to ${length}`}.`;
  throw new PalimpsestError("HANDLE_UNKNOWN", message, { handle, parts: length });
}
