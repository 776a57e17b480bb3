import type { Edit } from "../../edits/edit.ts";
import { blockAt, isText, type Block, type Message, type ToolResultBlock } from "../../messages/message.ts";
import { originalText } from "../../stateless/original-text.ts";

/** What an edit shows in another form, as text; `content` where it is more than text and can be given back as it is. */
export interface Original {
  readonly text: string;
  readonly content?: readonly Block[];
}

export function originalOf(log: readonly Message[], edit: Edit): Original {
  const text = originalText(log, edit);
  const content = edit.kind === "replace-result" ? (blockAt(log, edit.at) as ToolResultBlock).content : undefined;
  return typeof content === "object" && !content.every(isText) ? { text, content: content.map(unmarked) } : { text };
}

/** Given back a second time, a cache marker would be one more than the caller set (A6). */
function unmarked(block: Block): Block {
  const { cache_control: _, ...rest } = block as Block & { readonly cache_control?: unknown };
  return rest;
}
