import type { Edit } from "../edits/edit.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import type { StoredCommit } from "../store/store.ts";
import type { CommitChain } from "./commit-chain.ts";
import { isEdited } from "./commit-content.ts";
import { entryIn } from "./commit-lookup.ts";
import type { Commit } from "./commit.ts";
import { undoDraft } from "./edit-commits.ts";
import type { BranchState, MadeEdit } from "./branch-state.ts";

/** Undoes an edit, named by its id or by its commit. */
export function addUndo(
  state: BranchState,
  chain: CommitChain,
  given: string | Commit,
  author: string,
  reason: string | undefined,
): { readonly commit: StoredCommit; readonly undone: Edit } {
  const made = typeof given === "string" ? (state.editOf(given) ?? madeBy(state, given)) : madeBy(state, given);
  if (made.edit.undoneAt !== undefined) throw invalid("INVALID_INPUT", "edit", "an edit that is in force", made.edit.id);
  const undone: Edit = { ...made.edit, undoneAt: state.messages.length };
  state.conversation.refuseUnfit(state.edits.map((edit) => (edit.id === undone.id ? undone : edit)));
  return { commit: chain.add(undoDraft(made, state.messages.length, author, reason)), undone };
}

function madeBy(state: BranchState, given: string | Commit): MadeEdit {
  const { commit, content } = entryIn(state, given, "edit");
  const made = isEdited(content) ? state.editOf(content.edit.id) : undefined;
  // If the edit was made again since, it belongs to another commit.
  if (made?.commit.hash !== commit.hash) throw invalid("INVALID_INPUT", "edit", "an edit that is in force", commit.hash);
  return made;
}
