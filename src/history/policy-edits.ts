import type { Edit, Proposal } from "../edits/edit.ts";
import { firstPlace, isSpanEdit } from "../edits/edit-places.ts";
import { outermostSpans } from "../edits/spans.ts";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import type { LogIndex } from "../messages/index-log.ts";
import { comparePlaces } from "../messages/place.ts";
import { wholeGroups } from "../passes/whole-groups.ts";

/** The passes of the policy, by which its edits are told from those that somebody made by hand. */
const POLICY_PASSES: ReadonlySet<string> = new Set([
  "tidy-results",
  "keep-telling-lines",
  "stub-results",
  "shorten-inputs",
  "drop-superseded",
  "restore-results",
  "age-images",
  "digest-rounds",
  "drop-rounds",
]);

export function isOfPolicy({ pass }: Edit): boolean {
  return POLICY_PASSES.has(pass);
}

/** What of the policy's proposals may stand beside the edits that are there: no range that crosses another, and nothing that was taken back. */
export function settleBeside(proposals: readonly Proposal[], index: LogIndex, edits: readonly Edit[]): Proposal[] {
  const undone = edits.filter(({ undoneAt }) => undoneAt !== undefined);
  const spans = edits.filter((edit) => edit.undoneAt === undefined && isSpanEdit(edit));
  const left = proposals.filter((proposal) => !undone.some((edit) => isSame(edit, proposal)) && (!isSpanEdit(proposal) || !crosses(proposal, spans, index)));
  return wholeGroups(proposals, left);
}

function isSame(edit: Edit, proposal: Proposal): boolean {
  return edit.pass === proposal.pass && edit.kind === proposal.kind && comparePlaces(firstPlace(edit), firstPlace(proposal)) === 0;
}

/** Does the range cross one of these spans, which do not cross each other? */
export function crosses(range: Proposal, spans: readonly Edit[], index: LogIndex): boolean {
  try {
    outermostSpans(index, [...spans, range]);
    return false;
  } catch (error) {
    if (PalimpsestError.isInstance(error) && error.code === "OVERLAPPING_RANGES") return true;
    throw error;
  }
}
