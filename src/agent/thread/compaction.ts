import type { Edit, Proposal } from "../../edits/edit.ts";
import type { Place } from "../../messages/place.ts";
import { replaceBetweenCheckpoints, type Replacement } from "../../passes/replace-between-checkpoints/replace-between-checkpoints.ts";
import { stripAround } from "../../stateless/compact-thread.ts";
import { COMPACT_PASS, COMPACTED } from "../../conversation/tools/compact-tool.ts";
import { START_HANDLE } from "../../conversation/tools/recall-tool.ts";
import { refuseLostLoopStart } from "../../conversation/loop-start.ts";
import { positionTaken } from "../../conversation/pin.ts";
import type { Conversation } from "../../conversation/conversation.ts";

export interface CompactionOptions {
  readonly strip: "all" | "after-edit";
  /** The end of the thread, for a replacement without `to`. */
  readonly end: Place;
  /** The call of `compact` that asks for it. */
  readonly call?: Place;
}

/** Writes summaries over the stretches between checkpoints: all of them, or none and an error. */
export function compactLog(conversation: Conversation, replacements: readonly Replacement[], { strip, end, call }: CompactionOptions): Edit[] {
  const { usable, hidden } = conversation.usableCheckpoints();
  const parsed = conversation.parsed;
  const ranges = replaceBetweenCheckpoints(parsed.log, conversation.inForce, { ...parsed, replacements, end, checkpoints: usable, hidden }).map(
    (range, number): Proposal => ({ ...range, pass: COMPACT_PASS, handle: replacements[number]?.from ?? START_HANDLE }),
  );
  const isInRange = call !== undefined && ranges.some((range) => range.kind === "replace-range" && range.to.position > call.position);
  const shown: Proposal[] =
    call === undefined || isInRange
      ? []
      : [{ kind: "replace-block", at: call, text: COMPACTED, pass: COMPACT_PASS, reason: "the call is done", madeAt: parsed.log.length }];
  const stripped = stripAround(parsed, conversation.inForce, ranges, strip).flatMap((proposal) => besidePins(proposal, conversation));
  return conversation.commit([...ranges, ...stripped, ...shown], { check: ({ messages }) => refuseLostLoopStart(parsed, messages) });
}

/** A pinned message keeps its reminders and its thinking; the rest of the compaction is still done. */
function besidePins(proposal: Proposal, { pinned }: Conversation): Proposal[] {
  if (proposal.kind !== "strip-blocks") return positionTaken(proposal, pinned.keys()) === undefined ? [proposal] : [];
  const at = proposal.at.filter(({ position }) => !pinned.has(position));
  return at.length === 0 ? [] : [{ ...proposal, at }];
}
