import { isText, textBlock, type Block, type Message } from "../messages/message.ts";
import { EMPTY, isBlank } from "./blank.ts";
import type { BlockEdits } from "./block-edits.ts";
import type { ChangedMessages } from "./changed-messages.ts";
import type { Coverage } from "./coverage.ts";
import type { ProposalOf } from "./edit.ts";
import type { BlockEdit } from "./edit-places.ts";

/** Applies what no span takes out, be it a block itself or the call that a result follows. */
export function applyBlockEdits(log: readonly Message[], { newest }: BlockEdits, coverage: Coverage, changed: ChangedMessages): void {
  for (const { at, edit } of newest) {
    const content = log[at.position]?.content;
    const block = typeof content === "string" ? textBlock(content) : content?.[at.block];
    if (block === undefined || coverage.rangeOver(at) !== undefined || changed.isDropped(at.position, at.block)) continue;
    if (edit.kind === "strip-blocks") changed.drop(at.position, at.block, edit);
    else changed.replace(at.position, at.block, replacementOf(block, edit), edit);
  }
}

function replacementOf(block: Block, edit: Exclude<BlockEdit, ProposalOf<"strip-blocks">>): Block {
  switch (edit.kind) {
    case "replace-result":
      return withField(block, "content", shownContent(edit.content));
    case "replace-input":
      return withField(block, "input", edit.input);
    case "replace-block":
      return { ...cacheMarkerOf(block), ...textBlock(isBlank(edit.text) ? EMPTY : edit.text) };
  }
}

function withField(block: Block, field: "content" | "input", value: unknown): Block {
  return { ...block, [field]: value };
}

/** Cache markers in replacements would add to the caller's, of which there may be four in all (A6). */
function shownContent(content: string | readonly Block[]): string | readonly Block[] {
  if (typeof content === "string") return isBlank(content) ? EMPTY : content;
  if (content.length === 0) return EMPTY;
  return content.map((block) => {
    const { cache_control: _, ...rest } = block as Block & { cache_control?: unknown };
    return isText(block) && isBlank(block.text) ? { ...rest, text: EMPTY } : rest;
  });
}

/** A marker of the caller's keeps its place: the prompt cache depends on it. */
function cacheMarkerOf(block: Block): { cache_control?: unknown } {
  return "cache_control" in block ? { cache_control: block.cache_control } : {};
}
