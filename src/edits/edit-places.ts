import { isBefore, type Place } from "../messages/place.ts";
import type { EditKind } from "./change.ts";
import type { Proposal, ProposalOf } from "./edit.ts";

export type RangeEdit = ProposalOf<"replace-range">;
export type RoundEdit = ProposalOf<"collapse-round">;
export type SpanEdit = RangeEdit | RoundEdit;
export type BlockEdit = ProposalOf<Exclude<EditKind, SpanEdit["kind"]>>;

/** Returns whether the edit covers a stretch of the log, rather than single blocks. */
export function isSpanEdit(edit: Proposal): edit is SpanEdit {
  return edit.kind === "replace-range" || edit.kind === "collapse-round";
}

export function placesOf(edit: BlockEdit): readonly Place[] {
  return edit.kind === "strip-blocks" ? edit.at : [edit.at];
}

/** Returns the first place that the edit changes. */
export function firstPlace(edit: Proposal): Place {
  switch (edit.kind) {
    case "collapse-round":
      return { position: edit.call, block: 0 };
    case "replace-range":
      return edit.from;
    case "strip-blocks":
      return edit.at.reduce((first, at) => (isBefore(at, first) ? at : first));
    default:
      return edit.at;
  }
}
