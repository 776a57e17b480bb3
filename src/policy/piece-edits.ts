import type { Edit, EditOf, Proposal } from "../edits/edit.ts";
import { FULL, SKELETON, STUB, type Level } from "./piece.ts";

type OfPiece = "replace-result" | "replace-input" | "replace-block";

/** Returns whether the proposal changes a single piece. */
export function isOfPiece<P extends Proposal>(proposal: P): proposal is Extract<P, { kind: OfPiece }> {
  return proposal.kind === "replace-result" || proposal.kind === "replace-input" || proposal.kind === "replace-block";
}

export function levelOf(edit: Extract<Edit, { kind: OfPiece }>): Level {
  if (edit.kind === "replace-input") return SKELETON;
  if (edit.kind === "replace-block") return STUB;
  return LEVEL_OF_FORM[edit.form];
}

/** Returns whether the edit shows everything that the piece says: tidying and restoring lose nothing. */
export function showsAll(edit: Proposal): boolean {
  return edit.pass === TIDIED || edit.pass === RESTORED;
}

/** The passes that remove nothing. */
const TIDIED = "tidy-results";
export const RESTORED = "restore-results";

const LEVEL_OF_FORM: Readonly<Record<EditOf<"replace-result">["form"], Level>> = {
  truncated: FULL,
  custom: FULL,
  summary: SKELETON,
  skeleton: SKELETON,
  stub: STUB,
  duplicate: STUB,
};
