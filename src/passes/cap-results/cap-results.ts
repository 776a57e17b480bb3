import type { Proposal } from "../../edits/edit.ts";
import { beginningOf } from "../../messages/beginning-of.ts";
import { blockAt, isText, type Block, type Message, type TextBlock, type ToolResultBlock } from "../../messages/message.ts";
import type { PassContext } from "../pass.ts";
import { untouchedResults } from "../untouched-results.ts";

const TRUNCATED = "\n[truncated]";
const CHARACTERS_PER_TOKEN = 4;

/**
 * Cuts every tool result that is longer than a limit, at its head.
 *
 *     before: "line 1\nline 2\n … line 900"      (maxTokens: 2)
 *     after:  "line 1\nl\n[truncated]"
 *
 * Made for ingest: the model has not seen the result yet, so no cache is lost and no thinking is bound to it.
 */
export function capResults(log: readonly Message[], edits: readonly Proposal[], options: PassContext & { readonly maxTokens: number }): Proposal[] {
  const proposals: Proposal[] = [];
  for (const at of untouchedResults(options.index, edits)) {
    const block = blockAt(log, at) as ToolResultBlock;
    if (block.content === undefined) continue;
    const content = cappedContent(block.content, options.maxTokens);
    if (content === block.content) continue;
    const reason = `longer than ${options.maxTokens} tokens`;
    proposals.push({ kind: "replace-result", at, callId: block.tool_use_id, form: "truncated", content, pass: "cap-results", reason, madeAt: log.length });
  }
  return proposals;
}

/** Returns the content itself if it is short enough. The marker counts, so that cutting never makes it longer. */
export function cappedContent(content: string | readonly Block[], maxTokens: number): string | readonly Block[] {
  const limit = maxTokens * CHARACTERS_PER_TOKEN;
  if (typeof content === "string") return content.length > limit + TRUNCATED.length ? beginningOf(content, limit) + TRUNCATED : content;
  let total = 0;
  for (const block of content) if (isText(block)) total += block.text.length;
  return total > limit + TRUNCATED.length ? cutBlocks(content, limit) : content;
}

/** Cuts and marks the text block in which the limit falls, or ends; removes later text blocks and keeps all other blocks. */
function cutBlocks(content: readonly Block[], limit: number): Block[] {
  const cut: Block[] = [];
  let left = limit;
  let isCut = false;
  for (const block of content) {
    if (!isText(block)) cut.push(block);
    else if (!isCut && block.text.length < left) {
      left -= block.text.length;
      cut.push(block);
    } else if (!isCut) {
      isCut = true;
      cut.push({ ...block, text: beginningOf(block.text, left) + TRUNCATED } as TextBlock);
    }
  }
  return cut;
}
