import type { Edit } from "../edits/edit.ts";
import { blockAt, isText, type Block, type Message, type ToolResultBlock } from "../messages/message.ts";
import { BETWEEN_BLOCKS, originalText } from "../stateless/original-text.ts";

/** The original of edits, as text; `content` if it is more than text and can be returned as it is. */
export interface Original {
  readonly text: string;
  readonly content?: readonly Block[];
}

export function originalOf(log: readonly Message[], edits: readonly Edit[]): Original {
  const text = edits.map((edit) => originalText(log, edit)).join(BETWEEN_BLOCKS);
  const [edit, ...others] = edits;
  const content = edit === undefined || others.length > 0 ? undefined : contentOf(log, edit);
  return typeof content === "object" && !content.every(isText) ? { text, content: content.map(unmarked) } : { text };
}

function contentOf(log: readonly Message[], edit: Edit): ToolResultBlock["content"] {
  if (edit.kind === "replace-result") return (blockAt(log, edit.at) as ToolResultBlock).content;
  const block = edit.kind === "replace-block" ? blockAt(log, edit.at) : undefined;
  return block === undefined ? undefined : [block];
}

/** Removes cache markers: a recalled copy of one would be one more than the caller set (A6). */
function unmarked(block: Block): Block {
  const { cache_control: _, ...rest } = block as Block & { readonly cache_control?: unknown };
  return rest;
}
