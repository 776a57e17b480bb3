import { invalid, PalimpsestError } from "../errors/palimpsest-error.ts";
import { blockAt, isToolResult, type Message, type ToolResultBlock } from "../messages/message.ts";
import { responseAround } from "../passes/hold-back.ts";
import type { StoredCommit } from "../store/store.ts";
import type { CommitChain } from "./commit-chain.ts";
import { isEdited } from "./commit-content.ts";
import { entryIn, type CommitLike } from "./commit-lookup.ts";
import { addEdit, editDraft, replaceResult, type ResultReplacement } from "./edit-commits.ts";
import type { Content } from "./history-input.ts";
import type { BranchState } from "./branch-state.ts";
import type { OpenCall, Unit } from "./commit-index.ts";
import { saidDraft, type Authorship } from "./said-commits.ts";

/** Returns the call that a new result answers. Throws if there is none. */
export function requireOpenCall(state: BranchState, callId: string, name: string): OpenCall {
  const call = state.openCall(callId);
  if (call !== undefined) {
    if (call.name !== name) throw invalid("INVALID_INPUT", "name", `${JSON.stringify(call.name)}, which ${callId} calls`, name);
    return call;
  }
  if (state.wasCalled(callId)) throw invalid("INVALID_INPUT", "callId", "a call that has no result yet", callId);
  const calls = state.openCalls;
  const choices = calls.length === 0 ? "No call waits for a result." : `These calls wait for one: ${calls.slice(0, 10).join(", ")}.`;
  throw new PalimpsestError("CALL_UNKNOWN", `There is no call ${JSON.stringify(callId)}. ${choices}`, { id: callId, calls });
}

export type ShownInstead = Pick<ResultReplacement, "content" | "form" | "reason">;

/** Adds the original result, and the edit if a handler decided on one. Returns the commit of the original. */
export function addResult(
  state: BranchState,
  chain: CommitChain,
  { block, name, authorship, shown }: { block: ToolResultBlock; name: string; authorship: Authorship; shown: ShownInstead | undefined },
): StoredCommit {
  const call = requireOpenCall(state, block.tool_use_id, name);
  const joins = joinsLast(state.messages, call);
  const message: Message = { role: "user", content: [block] };
  const original = chain.add(saidDraft(joins ? { message, joins } : { message }, () => name, authorship));
  if (shown === undefined) return original;
  const last = state.messages.at(-1);
  const position = joins ? state.messages.length - 1 : state.messages.length;
  const at = { position, block: joins && typeof last?.content === "object" ? last.content.length : 0 };
  const edit = replaceResult({ ...shown, at, block, handle: original.hash, madeAt: position + 1, pass: "tool_result" });
  chain.add(editDraft(edit, original, edit.pass));
  return original;
}

/** Results of one round are one message (A2.4). */
function joinsLast(messages: readonly Message[], call: OpenCall): boolean {
  const last = messages.at(-1);
  const isResults = last?.role === "user" && typeof last.content === "object" && last.content.length > 0 && last.content.every(isToolResult);
  return isResults && messages[messages.length - 2]?.role === "assistant" && responseAround(messages, messages.length - 2).from <= call.position;
}

/** Returns the tool result that a commit is or edits. */
function resultOf(state: BranchState, given: CommitLike): Unit {
  const { commit, content } = entryIn(state, given, "options.edit");
  const { hash, kind, role, edits } = commit;
  const isVersion = isEdited(content) && content.edit.kind === "replace-result";
  const unit = state.unitOf(isVersion && edits !== undefined ? edits : hash);
  if (unit?.commit.role === "tool") return unit;
  throw new PalimpsestError("NOT_A_TOOL_RESULT", `Commit ${hash.slice(0, 12)} is not a tool result: only tool results can be edited in place.`, {
    hash,
    kind,
    role,
  });
}

export interface ResultEdit {
  readonly callId: string;
  readonly name: string;
  readonly content: Content;
  readonly isError: boolean | undefined;
  readonly edit: CommitLike;
  readonly author: string;
  readonly reason: string;
}

export function addResultEdit(state: BranchState, chain: CommitChain, given: ResultEdit): StoredCommit {
  const { commit, position, from } = resultOf(state, given.edit);
  const at = { position, block: from };
  const block = blockAt(state.messages, at) as ToolResultBlock;
  if (given.callId !== block.tool_use_id) throw invalid("INVALID_INPUT", "callId", `${JSON.stringify(block.tool_use_id)}, of the result`, given.callId);
  if (commit.name !== undefined && given.name !== commit.name)
    throw invalid("INVALID_INPUT", "name", `${JSON.stringify(commit.name)}, of the result`, given.name);
  if (given.isError !== undefined && given.isError !== (commit.isError === true))
    throw invalid("INVALID_OPTION", "options.isError", `${commit.isError === true}, as in the result that is edited`, given.isError);
  const { content, author, reason } = given;
  const edit = replaceResult({ at, block, handle: commit.hash, content, form: "custom", madeAt: state.messages.length, pass: author, reason });
  return addEdit(state, chain, edit, author);
}
