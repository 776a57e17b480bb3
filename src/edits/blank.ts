import { isText, type ToolResultBlock } from "../messages/message.ts";
import type { Proposal } from "./edit.ts";

/** Shown where the replacement is empty: no provider accepts an empty block (A1.5, A1.6, A2.11). */
export const EMPTY = "[empty]";

/** The first character decides for most texts; the others are matched by a pattern, because `trim` would copy a long text. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > 0x20 && first < 0x7f) && !/\S/.test(text);
}

/** Returns the edit, with `EMPTY` in place of blank text. */
export function withoutBlank(edit: Proposal): Proposal {
  switch (edit.kind) {
    case "replace-result":
      return typeof edit.content === "string" && isBlank(edit.content) ? { ...edit, content: EMPTY } : edit;
    case "collapse-round":
      return isBlank(edit.note) ? { ...edit, note: EMPTY } : edit;
    case "replace-block":
      return isBlank(edit.text) ? { ...edit, text: EMPTY } : edit;
    default:
      return edit;
  }
}

/** Returns the result, with `EMPTY` in place of empty content: a tool may return nothing, but the provider refuses that (A2.11, A2.12). */
export function sayingSomething(result: ToolResultBlock): ToolResultBlock {
  const { content } = result;
  if (content === undefined) return result.is_error === true ? { ...result, content: EMPTY } : result;
  if (typeof content === "string" ? isBlank(content) : content.length === 0) return { ...result, content: EMPTY };
  if (typeof content === "string" || !content.some((block) => isText(block) && isBlank(block.text))) return result;
  return { ...result, content: content.map((block) => (isText(block) && isBlank(block.text) ? { ...block, text: EMPTY } : block)) };
}
