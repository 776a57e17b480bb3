import type { Edit, EditOf, Proposal } from "../edits/edit.ts";
import { FULL, SKELETON, STUB, type Level } from "./piece.ts";

type OfPiece = "replace-result" | "replace-input" | "replace-block";

/** Does it show one piece in another form? */
export function isOfPiece<P extends Proposal>(proposal: P): proposal is Extract<P, { kind: OfPiece }> {
  return proposal.kind === "replace-result" || proposal.kind === "replace-input" || proposal.kind === "replace-block";
}

export function levelOf(edit: Extract<Edit, { kind: OfPiece }>): Level {
  if (edit.kind === "replace-input") return SKELETON;
  if (edit.kind === "replace-block") return STUB;
  return LEVEL_OF_FORM[edit.form];
}

const LEVEL_OF_FORM: Readonly<Record<EditOf<"replace-result">["form"], Level>> = {
  truncated: FULL,
  custom: FULL,
  summary: SKELETON,
  skeleton: SKELETON,
  stub: STUB,
  duplicate: STUB,
};
