import type { Edit } from "../edits/edit.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import { count } from "../errors/parse-options.ts";
import type { StoredCommit } from "../store/store.ts";
import type { CommitChain } from "./commit-chain.ts";
import { checkEdit, editDraft, editedCommit, targetOf, undoDraft } from "./edit-commits.ts";
import type { BranchState, MadeEdit } from "./branch-state.ts";

/**
 * Edits that were made elsewhere: one commit each, and another one where `undoneAt` says that it was undone. What is there already is not
 * written again, and what was undone here is not made again. Where an edit is in force that the list does not have, on the same
 * target and made no earlier, that one wins: it was committed first.
 */
export function addEdits(state: BranchState, chain: CommitChain, given: readonly Edit[]): StoredCommit[] {
  if (!Array.isArray(given)) throw invalid("INVALID_INPUT", "edits", "an array of edits", given);
  // Not `forEach`: that leaves holes out.
  for (const [number, edit] of (given as readonly Edit[]).entries()) {
    checkEdit(edit, `edits.${number}`);
    checkLengths(edit, state.messages.length, `edits.${number}`);
  }
  const edits = lastOfEach(given);
  const others = state.inForce.filter(({ edit }) => !edits.has(edit.id));
  const takenAt = new Map(others.map(({ edit }) => [targetOf(edit), edit.madeAt]));
  const wanted: Edit[] = [...edits.values()].filter((edit) => state.editOf(edit.id) !== undefined || (takenAt.get(targetOf(edit)) ?? -1) < edit.madeAt);
  if (wanted.every((edit) => isThere(state, edit))) return [];
  const shown = new Map(state.edits.map((edit) => [edit.id, edit]));
  for (const edit of wanted) if (shown.get(edit.id)?.undoneAt === undefined) shown.set(edit.id, edit);
  // Places that are not what an edit says, and ranges that cross, are refused as a whole.
  state.conversation.refuseUnfit([...shown.values()]);
  return wanted.flatMap((edit) => {
    const known = state.editOf(edit.id);
    const made = known ?? addMade(state, chain, edit);
    const isUndone = edit.undoneAt !== undefined && made.edit.undoneAt === undefined;
    return [...(known === undefined ? [made.commit] : []), ...(isUndone ? [chain.add(undoDraft(made, edit.undoneAt, edit.pass, undefined))] : [])];
  });
}

/** Made, and undone if it was: there is nothing to write. */
function isThere(state: BranchState, { id, undoneAt }: Edit): boolean {
  const known = state.editOf(id)?.edit;
  return known !== undefined && (undoneAt === undefined || known.undoneAt !== undefined);
}

function addMade(state: BranchState, chain: CommitChain, { undoneAt: _, ...edit }: Edit): MadeEdit {
  return { edit, commit: chain.add(editDraft(edit, editedCommit(state, edit), edit.pass)) };
}

function lastOfEach(edits: readonly Edit[]): Map<string, Edit> {
  return new Map(edits.map((edit) => [edit.id, edit]));
}

function checkLengths({ madeAt, undoneAt }: Edit, length: number, path: string): void {
  const expected = `a length of the log, 0 to ${length}`;
  if (!count.accepts(madeAt) || madeAt > length) throw invalid("INVALID_INPUT", `${path}.madeAt`, expected, madeAt);
  if (undoneAt !== undefined && (!count.accepts(undoneAt) || undoneAt > length)) throw invalid("INVALID_INPUT", `${path}.undoneAt`, expected, undoneAt);
}
