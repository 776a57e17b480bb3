import type { Edit } from "../edits/edit.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import { count } from "../errors/parse-options.ts";
import type { StoredCommit } from "../store/store.ts";
import type { CommitChain } from "./commit-chain.ts";
import { checkEdit, editDraft, editedCommit, targetOf, undoDraft } from "./edit-commits.ts";
import type { BranchState, MadeEdit } from "./branch-state.ts";

/**
 * Adds edits that were made elsewhere: one commit each, and another one if `undoneAt` is set. An edit that is already there is not
 * written again, and one that was undone here is not restored. An edit in force that the list lacks, on the same
 * target and made no earlier, wins: it was committed first.
 */
export function addEdits(state: BranchState, chain: CommitChain, given: readonly Edit[]): StoredCommit[] {
  if (!Array.isArray(given)) throw invalid("INVALID_INPUT", "edits", "an array of edits", given);
  // Not `forEach`, which skips holes.
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
  // One edit with a wrong place, or one crossing range, refuses the whole list.
  state.conversation.refuseUnfit([...shown.values()]);
  return wanted.flatMap((edit) => {
    const known = state.editOf(edit.id);
    const made = known ?? addMade(state, chain, edit);
    const isUndone = edit.undoneAt !== undefined && made.edit.undoneAt === undefined;
    return [...(known === undefined ? [made.commit] : []), ...(isUndone ? [chain.add(undoDraft(made, edit.undoneAt, edit.pass, undefined))] : [])];
  });
}

/** Returns whether the branch already has the edit, and its undo if it was undone. */
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
