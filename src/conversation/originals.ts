import type { Edit } from "../edits/edit.ts";
import { blockAt, isText, type Block, type Message, type ToolResultBlock } from "../messages/message.ts";
import { BETWEEN_BLOCKS, originalText } from "../stateless/original-text.ts";

/** What edits show in another form, as text; `content` where it is more than text and can be given back as it is. */
export interface Original {
  readonly text: string;
  readonly content?: readonly Block[];
}

export function originalOf(log: readonly Message[], edits: readonly Edit[]): Original {
  const text = edits.map((edit) => originalText(log, edit)).join(BETWEEN_BLOCKS);
  const [edit, ...others] = edits;
  const content = edit?.kind === "replace-result" && others.length === 0 ? (blockAt(log, edit.at) as ToolResultBlock).content : undefined;
  return typeof content === "object" && !content.every(isText) ? { text, content: content.map(unmarked) } : { text };
}

/** Given back a second time, a cache marker would be one more than the caller set (A6). */
function unmarked(block: Block): Block {
  const { cache_control: _, ...rest } = block as Block & { readonly cache_control?: unknown };
  return rest;
}
