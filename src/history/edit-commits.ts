import { editId } from "../edits/edit-id.ts";
import { makeEdit, type Edit, type EditDraft } from "../edits/edit.ts";
import { firstPlace } from "../edits/edit-places.ts";
import { validEdits } from "../edits/validate-edits.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import { indexLog } from "../messages/index-log.ts";
import type { Block, Message, ToolResultBlock } from "../messages/message.ts";
import { isRecord } from "../errors/is-record.ts";
import type { Place } from "../messages/place.ts";
import { contentTokens } from "../tokens/message-tokens.ts";
import type { CommitChain, Draft } from "./commit-chain.ts";
import type { BranchState, MadeEdit } from "./branch-state.ts";
import type { CommitIndex, Unit } from "./commit-index.ts";
import type { StoredCommit } from "../store/store.ts";

/** Returns the commit of an edit; `edited` is the commit of the first thing that it changes. */
export function editDraft(edit: Edit, edited: StoredCommit, author: string): Draft {
  const isResult = edit.kind === "replace-result";
  return {
    kind: "edit",
    role: isResult ? "tool" : edit.kind === "replace-range" ? edit.role : edited.role === "assistant" ? "assistant" : "user",
    ...(isResult && edited.name !== undefined ? { name: edited.name } : {}),
    ...(isResult ? { callId: edit.callId } : {}),
    ...(isResult && edited.isError === true ? { isError: true } : {}),
    edits: edited.hash,
    tokens: edit.tokensAfter,
    author,
    ...(edit.reason === "" ? {} : { reason: edit.reason }),
    content: { edit },
  };
}

/** Returns the commit of an undo. It has the fields of the edit's own commit, so that queries find both. */
export function undoDraft({ edit, commit }: MadeEdit, undoneAt: number, author: string, reason: string | undefined): Draft {
  const { role, name, callId, isError } = commit;
  return {
    kind: "edit",
    role,
    ...(name === undefined ? {} : { name }),
    ...(callId === undefined ? {} : { callId }),
    ...(isError === true ? { isError } : {}),
    edits: commit.hash,
    tokens: edit.tokensBefore,
    author,
    ...(reason === undefined ? {} : { reason }),
    content: { undo: { edit: edit.id, undoneAt } },
  };
}

/** Returns the commit of the first thing that the edit changes. */
export function editedCommit(commits: CommitIndex, edit: Edit): StoredCommit {
  const unit = commits.unitAt(firstPlace(edit));
  if (unit === undefined) throw invalid("INVALID_INPUT", "edits", "an edit of something in the log", edit.kind);
  return unit.commit;
}

/** Adds the edit unless it is already there, and returns its commit. */
export function addEdit(state: BranchState, chain: CommitChain, edit: Edit, author: string): StoredCommit {
  const known = state.editOf(edit.id);
  return known !== undefined && known.edit.undoneAt === undefined ? known.commit : chain.add(editDraft(edit, editedCommit(state, edit), author));
}

export interface ResultReplacement {
  readonly at: Place;
  readonly block: ToolResultBlock;
  /** The commit of the original. */
  readonly handle: string;
  readonly content: string | readonly Block[];
  readonly form: "summary" | "custom";
  readonly madeAt: number;
  readonly pass: string;
  readonly reason: string;
}

/** Returns the edit. Throws for content that a tool result may not hold. */
export function replaceResult({ block, content, ...rest }: ResultReplacement): Edit {
  const draft: EditDraft = {
    ...rest,
    kind: "replace-result",
    callId: block.tool_use_id,
    content,
    tokensBefore: contentTokens([block]),
    tokensAfter: contentTokens(content),
  };
  const round: readonly Message[] = [{ role: "user", content: [block] }];
  validEdits(round, indexLog(round), [{ ...draft, at: { position: 0, block: 0 }, madeAt: 1 }]);
  return makeEdit(draft);
}

/** Throws if the value is not an edit, or its id is not the hash of what it shows. */
export function checkEdit(value: Edit, path: string): void {
  if (!isRecord(value)) throw invalid("INVALID_INPUT", path, "an edit", value);
  let expected: string;
  try {
    expected = editId(value, value.madeAt);
  } catch {
    throw invalid("INVALID_INPUT", path, "an edit with its places", value);
  }
  if (value.id !== expected) throw invalid("INVALID_INPUT", `${path}.id`, `${JSON.stringify(expected)}, which follows from what the edit shows`, value.id);
}

/** Returns the target of an edit: of two edits on the same target at the same time, the first wins. */
export function targetOf(edit: Edit): string {
  switch (edit.kind) {
    case "collapse-round":
      return `round ${edit.call}`;
    case "replace-range":
      return `range ${place(edit.from)}-${place(edit.to)}`;
    case "strip-blocks":
      return `blocks ${edit.at.map(place).join(",")}`;
    default:
      return `block ${place(edit.at)}`;
  }
}

function place({ position, block }: Place): string {
  return `${position}.${block}`;
}

/** Returns the units that an edit changes. */
export function unitsUnder(state: BranchState, edit: Edit): Unit[] {
  switch (edit.kind) {
    case "collapse-round":
      return state.units.filter(({ position }) => position === edit.call || position === edit.lastResult);
    case "replace-range":
      return state.units.filter((unit) => isUnder(unit, edit.from, edit.to));
    case "strip-blocks":
      return [...new Set(edit.at.map((at) => state.unitAt(at)))].filter((unit) => unit !== undefined);
    default: {
      const unit = state.unitAt(edit.at);
      return unit === undefined ? [] : [unit];
    }
  }
}

function isUnder({ position, from, to }: Unit, start: Place, end: Place): boolean {
  const beginsBefore = position < end.position || (position === end.position && from < end.block);
  const endsBehind = position > start.position || (position === start.position && to > start.block);
  return beginsBefore && endsBehind;
}
