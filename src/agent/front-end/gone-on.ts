import { Conversation } from "../../conversation/conversation.ts";
import { refuseLostLoopStart } from "../../conversation/loop-start.ts";
import { makeEdit, type Edit } from "../../edits/edit.ts";
import { comparePlaces, type Place } from "../../messages/place.ts";
import { PalimpsestError } from "../../errors/palimpsest-error.ts";

/**
 * Returns the first part of a conversation as its last call showed it: with the edits inside it that were made later, and with that call as its last
 * one. This is what the provider has in its cache. Without these edits, a policy would make them again at every call, each time in another place.
 */
export function goneOn(part: Conversation, whole: Conversation): Conversation {
  const state = part.toJSON();
  const { length } = state.log;
  const undone = new Map(whole.edits.flatMap(({ id, undoneAt }) => (undoneAt === undefined ? [] : [[id, Math.min(undoneAt, length)]])));
  const kept = state.edits.map((edit): Edit => withUndone(edit, undone.get(edit.id)));
  const later = whole.inForce.filter((edit) => edit.madeAt > length && comparePlaces(endOf(edit), { position: length, block: 0 }) <= 0);
  const last = whole.steps.at(-1);
  const steps = last === undefined || last.upTo <= length ? state.steps : [...state.steps, { ...last, upTo: length }];
  try {
    const edits = [...kept, ...later.map(({ id: _, ...edit }) => makeEdit({ ...edit, madeAt: length }))];
    const gone = new Conversation(part.target, { ...state, edits, steps });
    refuseLostLoopStart(gone.parsed, gone.arrange().messages);
    return gone;
  } catch (error) {
    if (PalimpsestError.isInstance(error)) return part;
    throw error;
  }
}

function withUndone(edit: Edit, undoneAt: number | undefined): Edit {
  return undoneAt === undefined ? edit : { ...edit, undoneAt };
}

/** Returns the place after everything that the edit changes. */
function endOf(edit: Edit): Place {
  switch (edit.kind) {
    case "replace-range":
      return edit.to;
    case "collapse-round":
      return { position: edit.lastResult + 1, block: 0 };
    case "strip-blocks":
      return { position: Math.max(...edit.at.map(({ position }) => position)) + 1, block: 0 };
    default:
      return { position: edit.at.position + 1, block: 0 };
  }
}
