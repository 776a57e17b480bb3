import { invalid, PalimpsestError } from "../errors/palimpsest-error.ts";
import type { LogIndex } from "../messages/index-log.ts";
import { blockCount, callerOf, isPaired, isServerCall, isText, isThinking, isToolResult, isToolUse, type Block, type Message } from "../messages/message.ts";
import { isRecord } from "../errors/is-record.ts";
import { parseBlock } from "../messages/parse-messages.ts";
import { comparePlaces, type Place } from "../messages/place.ts";
import { borderOf } from "./border.ts";
import type { Proposal, ProposalOf } from "./edit.ts";
import type { RangeEdit } from "./edit-places.ts";

/** Blocks that must stay where the provider put them (A3.4, A5). */
const FIXED_BLOCKS: ReadonlySet<string> = new Set(["fallback", "mcp_tool_listing", "compaction"]);

/** What a tool result may not hold (A2.10). */
const NEVER_IN_RESULTS: ReadonlySet<string> = new Set(["tool_use", "tool_result", "thinking", "redacted_thinking"]);

/** Returns the edits that were made by the time the log had this length. Throws if a place is not what its edit says. */
export function validEdits(log: readonly Message[], index: LogIndex, edits: readonly Proposal[]): Proposal[] {
  const made: Proposal[] = [];
  let number = 0;
  try {
    for (const edit of edits) {
      if (isMade(log, index, edit)) made.push(edit);
      number++;
    }
    return made;
  } catch (error) {
    throw withPath(error, `edits.${number}`);
  }
}

function isMade(log: readonly Message[], index: LogIndex, edit: Proposal): boolean {
  if (!isRecord(edit)) throw invalid("INVALID_INPUT", "", "an edit", edit);
  const { madeAt, undoneAt } = edit;
  if (!isLength(madeAt)) throw invalid("INVALID_INPUT", ".madeAt", "a length of the log", madeAt);
  if (undoneAt !== undefined && !isLength(undoneAt)) throw invalid("INVALID_INPUT", ".undoneAt", "a length of the log", undoneAt);
  if (madeAt > log.length) return false;
  validateChange(log, index, edit);
  return true;
}

/** Paths below are relative to the edit, so that full paths are built only for an error. */
function withPath(error: unknown, prefix: string): unknown {
  if (!(error instanceof PalimpsestError)) return error;
  const inner = error.data["path"];
  const path = typeof inner === "string" ? prefix + inner : prefix;
  return new PalimpsestError(error.code, `${prefix}${error.message}`, { ...error.data, path });
}

function isLength(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}

function validateChange(log: readonly Message[], index: LogIndex, edit: Proposal): void {
  switch (edit.kind) {
    case "replace-result":
      validateReplaceResult(log, edit);
      return;
    case "replace-input":
      if (!isToolUse(blockAt(log, edit.at, ".at", "assistant"))) throw wrongPlace(".at", "the place of a tool_use block", edit.at);
      if (!isRecord(edit.input)) throw invalid("INVALID_INPUT", ".input", "an object", edit.input); // A2.9
      return;
    case "collapse-round":
      validateCollapse(log, edit);
      return;
    case "replace-range":
      validateRange(log, index, edit);
      return;
    case "strip-blocks":
      validateStrip(log, edit.at);
      return;
    case "replace-block": {
      const block = editableBlockAt(log, edit.at, ".at");
      // A call may become text, and then its result is removed. Results, other halves of a pair, and thinking may not.
      if (isThinking(block) || (isPaired(block) && !isToolUse(block))) throw wrongPlace(".at", "a text, image, document or tool_use block", edit.at);
      if (isToolUse(block) && belongsToProvider(index, edit.at)) throw wrongPlace(".at", "a call that no tool of the provider made or waits for", edit.at); // A3.2, A3.3
      requireString(edit.text, ".text");
      return;
    }
    default:
      throw invalid("INVALID_INPUT", ".kind", "a kind of edit", (edit as { kind: unknown }).kind);
  }
}

function belongsToProvider({ calls, callsBefore }: LogIndex, { position, block }: Place): boolean {
  const ofMessage = calls.slice(callsBefore[position], callsBefore[position + 1]);
  return ofMessage.some((call) => call.block === block && (call.owner !== undefined || call.caller !== undefined));
}

function validateReplaceResult(log: readonly Message[], edit: ProposalOf<"replace-result">): void {
  const block = blockAt(log, edit.at, ".at", "user");
  if (!isToolResult(block)) throw wrongPlace(".at", "the place of a tool_result block", edit.at);
  if (block.tool_use_id !== edit.callId) throw invalid("INVALID_INPUT", ".callId", JSON.stringify(block.tool_use_id), edit.callId);
  if (typeof edit.content === "string") return;
  if (!Array.isArray(edit.content)) throw invalid("INVALID_INPUT", ".content", "a string or an array of blocks", edit.content);
  for (const [number, part] of (edit.content as readonly Block[]).entries()) {
    parseBlock(part, `.content.${number}`);
    if (NEVER_IN_RESULTS.has(part.type)) throw invalid("INVALID_INPUT", `.content.${number}.type`, "a block that a result may hold", part.type);
    if (block.is_error === true && !isText(part)) throw invalid("INVALID_INPUT", `.content.${number}.type`, '"text", as in every error', part.type); // A2.13
  }
}

function validateStrip(log: readonly Message[], places: readonly Place[]): void {
  if (!Array.isArray(places) || places.length === 0) throw invalid("INVALID_INPUT", ".at", "a list of places", places);
  for (const [number, at] of (places as readonly Place[]).entries()) {
    if (isPaired(editableBlockAt(log, at, `.at.${number}`))) throw wrongPlace(`.at.${number}`, "a block that is neither a call nor a result", at);
  }
}

function validateCollapse(log: readonly Message[], edit: ProposalOf<"collapse-round">): void {
  const { call, lastResult, note } = edit;
  requireString(note, ".note");
  const message = messageAt(log, call, ".call");
  let hasUse = false;
  let isProviderRun = false;
  if (message.role === "assistant" && typeof message.content !== "string") {
    for (const block of message.content) {
      if (isToolUse(block)) {
        hasUse = true;
        if (callerOf(block) !== undefined) isProviderRun = true;
      } else if (isServerCall(block)) isProviderRun = true;
    }
  }
  if (!hasUse) throw invalid("INVALID_INPUT", ".call", "the position of an assistant message with a tool_use", call);
  if (isProviderRun) throw invalid("INVALID_INPUT", ".call", "a turn without tools that the provider runs", call); // A3.1–A3.3
  messageAt(log, lastResult, ".lastResult");
  if (lastResult <= call) throw invalid("INVALID_INPUT", ".lastResult", `a position after ${call}`, lastResult);
}

function validateRange(log: readonly Message[], index: LogIndex, edit: RangeEdit): void {
  requireString(edit.summary, ".summary");
  if (!["assistant", "user"].includes(edit.role)) throw invalid("INVALID_INPUT", ".role", '"assistant" or "user"', edit.role);
  validateBorder(log, edit.from, ".from");
  validateBorder(log, edit.to, ".to");
  const order = comparePlaces(borderOf(index, edit.from), borderOf(index, edit.to));
  if (order === 0) throw new PalimpsestError("RANGE_EMPTY", ": there is nothing between from and to", { from: edit.from, to: edit.to });
  if (order > 0) throw new PalimpsestError("RANGE_REVERSED", ": from lies after to", { from: edit.from, to: edit.to });
}

function validateBorder(log: readonly Message[], at: Place, path: string): void {
  validatePlaceShape(at, path);
  if (at.position === log.length && at.block === 0) return;
  const message = messageAt(log, at.position, `${path}.position`);
  if (at.block > blockCount(message)) throw wrongPlace(path, `at most block ${blockCount(message)}`, at);
  if (message.role === "system" && at.block > 0 && at.block < blockCount(message)) throw wrongPlace(path, "a border that does not divide a system message", at);
}

function messageAt(log: readonly Message[], position: number, path: string): Message {
  const message = typeof position === "number" ? log[position] : undefined;
  if (message === undefined) throw invalid("INVALID_INPUT", path, `a position of the log, 0 to ${log.length - 1}`, position);
  return message;
}

function blockAt(log: readonly Message[], at: Place, path: string, role?: "user" | "assistant"): Block {
  validatePlaceShape(at, path);
  const message = messageAt(log, at.position, `${path}.position`);
  if (role !== undefined && message.role !== role) throw wrongPlace(path, `a block of a message of the ${role}`, at);
  const block = typeof message.content === "string" ? (at.block === 0 ? { type: "text" } : undefined) : message.content[at.block];
  if (block === undefined) throw wrongPlace(path, `a block of the message, 0 to ${blockCount(message) - 1}`, at);
  return block;
}

function editableBlockAt(log: readonly Message[], at: Place, path: string): Block {
  const block = blockAt(log, at, path);
  if (log[at.position]?.role === "system") throw wrongPlace(path, "a user or assistant message: system messages are never edited", at);
  if (FIXED_BLOCKS.has(block.type)) throw wrongPlace(path, `anything but a ${block.type} block, which has to stay in its place`, at);
  return block;
}

function validatePlaceShape(at: Place, path: string): void {
  if (!isRecord(at) || !Number.isInteger(at.position) || !Number.isInteger(at.block) || at.block < 0) {
    throw invalid("INVALID_INPUT", path, "a place { position, block }", at);
  }
}

function requireString(value: unknown, path: string): void {
  if (typeof value !== "string") throw invalid("INVALID_INPUT", path, "a string", value);
}

function wrongPlace(path: string, expected: string, at: Place): PalimpsestError {
  const found = `position ${at.position}, block ${at.block}`;
  return new PalimpsestError("INVALID_INPUT", `${path}: expected ${expected}, found ${found}`, { path, expected, found });
}
