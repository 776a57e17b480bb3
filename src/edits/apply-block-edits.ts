import { blockAt, isText, textBlock, type Block, type Message, type OpenBlock } from "../messages/message.ts";
import { EMPTY, isBlank } from "./blank.ts";
import type { PlacedEdit } from "./block-edits.ts";
import type { ChangedMessages } from "./changed-messages.ts";
import type { BlockEdit } from "./edit-places.ts";

/** Shows each block as its edit says, unless a span has removed the block or the call that it answers. */
export function applyBlockEdits(log: readonly Message[], edits: readonly PlacedEdit[], changed: ChangedMessages): void {
  for (const { at, edit } of edits) {
    if (!changed.isDropped(at.position, at.block)) changed.replace(at.position, at.block, replacementOf(blockAt(log, at) as Block, edit), edit);
  }
}

/** Undefined: the block is not shown. */
export function replacementOf(block: Block, edit: BlockEdit): Block | undefined {
  switch (edit.kind) {
    case "strip-blocks":
      return undefined;
    case "replace-result":
      return withContent(block, shownContent(edit.content));
    case "replace-input":
      return withInput(block, edit.input);
    case "replace-block":
      return { ...cacheMarkerOf(block), ...textBlock(edit.text) };
  }
}

function withContent(block: Block, content: string | readonly Block[]): OpenBlock {
  return { ...block, content };
}

function withInput(block: Block, input: unknown): OpenBlock {
  return { ...block, input };
}

/** Removes cache markers from replacements: they would add to the caller's, and a request may have only four (A6). */
function shownContent(content: string | readonly Block[]): string | readonly Block[] {
  if (typeof content === "string") return content;
  if (content.length === 0) return EMPTY;
  return content.map((block) => {
    const { cache_control: _, ...rest } = block as Block & { cache_control?: unknown };
    return isText(block) && isBlank(block.text) ? { ...rest, text: EMPTY } : rest;
  });
}

/** Keeps the caller's cache marker in its place: the prompt cache depends on it. */
function cacheMarkerOf(block: Block): { cache_control?: unknown } {
  return "cache_control" in block ? { cache_control: block.cache_control } : {};
}
