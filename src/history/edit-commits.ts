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

/** An edit, as it is committed: beside the commit that holds the first of what it changes. */
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

/** That an edit is taken back: like the edit's own commit, so that whoever finds one finds the other. */
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

/** The commit of what the edit changes first. */
export function editedCommit(commits: CommitIndex, edit: Edit): StoredCommit {
  const unit = commits.unitAt(firstPlace(edit));
  if (unit === undefined) throw invalid("INVALID_INPUT", "edits", "an edit of something in the log", edit.kind);
  return unit.commit;
}

/** Adds the edit, unless it is there. Gives the commit that makes it so. */
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

/** Refuses content that a tool result may not hold. */
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

/** Refuses what is no edit, or has another id than follows from it. */
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

/** What an edit is made for: of two made for the same at the same time, the first wins. */
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

/** The units that an edit changes something of. */
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
