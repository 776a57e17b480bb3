import type { Proposal } from "../../edits/edit.ts";
import { beginningOf } from "../../messages/beginning-of.ts";
import type { LogIndex } from "../../messages/index-log.ts";
import type { Call } from "../../messages/open-calls.ts";
import { blockAt, type Message, type ToolResultBlock } from "../../messages/message.ts";
import { bindsPrefix } from "../../messages/target.ts";
import { answersCalls } from "../../messages/tool-loop.ts";
import { frozenStretch, isFrozen, responseAround } from "../hold-back.ts";
import type { PassContext } from "../pass.ts";
import { untouchedResults } from "../untouched-results.ts";

const TRUNCATED_FOR_CONTEXT = "\n\n[truncated for context management]";

/**
 * Cuts the tool results of all rounds but the newest to their first characters.
 *
 *     before: tool_result "total 84\ndrwxr-xr-x …" (9,000 characters)      (retainChars: 500)
 *     after:  tool_result "total 84\ndrwxr-xr-x …" (500 characters) + "\n\n[truncated for context management]"
 */
export function truncateOldResults(log: readonly Message[], edits: readonly Proposal[], options: PassContext & { readonly retainChars: number }): Proposal[] {
  const newest = positionsOfNewestRound(log, options.index);
  // If thinking is not bound, results before it may change.
  const frozen = bindsPrefix(options.target) ? frozenStretch(log, options) : undefined;
  const reason = `older than the newest round and longer than ${options.retainChars} characters`;
  const proposals: Proposal[] = [];
  for (const at of untouchedResults(options.index, edits)) {
    const block = blockAt(log, at) as ToolResultBlock;
    if (typeof block.content !== "string" || newest.has(at.position) || isFrozen(frozen, at.position)) continue;
    const content = truncatedText(block.content, options.retainChars);
    if (content === undefined) continue;
    proposals.push({
      kind: "replace-result",
      at,
      callId: block.tool_use_id,
      form: "truncated",
      content,
      pass: "truncate-old-results",
      reason,
      madeAt: log.length,
    });
  }
  return proposals;
}

function truncatedText(text: string, retainChars: number): string | undefined {
  const head = beginningOf(text, retainChars);
  if (text.length <= head.length + TRUNCATED_FOR_CONTEXT.length || text.endsWith(TRUNCATED_FOR_CONTEXT)) return undefined;
  return head + TRUNCATED_FOR_CONTEXT;
}

/** Returns the newest message with a result, and all other messages with results of the same assistant turn. */
function positionsOfNewestRound(log: readonly Message[], { calls }: LogIndex): ReadonlySet<number> {
  const newest = log.findLastIndex(answersCalls);
  const answered = calls.findLast((call) => call.result?.position === newest);
  const positions = new Set([newest]);
  if (answered === undefined) return positions;
  const turn = responseAround(log, answered.position);
  for (let number = calls.length - 1; number >= 0; number--) {
    const call = calls[number] as Call;
    if (call.position < turn.from) break;
    if (call.result !== undefined && call.position <= turn.to) positions.add(call.result.position);
  }
  return positions;
}
