import type { Edit } from "../edits/edit.ts";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import { textBlock, type Block, type Message } from "../messages/message.ts";
import { isRecord } from "../errors/is-record.ts";

/** A message, or part of one: with `joins`, its blocks are appended to the message before it. */
export interface Said {
  readonly message: Message;
  readonly joins?: true;
}

/** Has no `undoneAt`: an undo is a commit of its own. */
export interface Edited {
  readonly edit: Edit;
}

export interface Undone {
  readonly undo: { readonly edit: string; readonly undoneAt: number };
}

/** The content of a commit. */
export type CommitContent = Said | Edited | Undone;

export function isSaid(content: CommitContent): content is Said {
  return "message" in content;
}

export function isEdited(content: CommitContent): content is Edited {
  return "edit" in content;
}

/** Encodes content with its keys in the given order, because it is sent to a provider byte for byte later. `redact` replaces each text in it. */
export function encodeContent(content: CommitContent, redact?: (text: string) => string): string {
  try {
    return redact === undefined ? JSON.stringify(content) : JSON.stringify(content, (_, value: unknown) => (typeof value === "string" ? redact(value) : value));
  } catch (cause) {
    throw new PalimpsestError("INVALID_INPUT", "content: expected what can be written as JSON", { path: "content", expected: "JSON", found: "no JSON" }, cause);
  }
}

/** Undefined: this is not the content of a commit. */
export function decodeContent(text: string): CommitContent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const isOne = isRecord(value["message"]) || isRecord(value["edit"]) || isRecord(value["undo"]);
  return isOne ? deepFreeze(value as unknown as CommitContent) : undefined;
}

/** Returns what a commit says or shows, for people and tools. An undo has no content of its own. */
export function shownContent(content: CommitContent): string | readonly Block[] {
  if (isSaid(content)) return saidContent(content.message);
  return isEdited(content) ? editContent(content.edit) : "";
}

/** Returns the content of a message or, for a single tool result, the content of the result. */
function saidContent({ content }: Message): string | readonly Block[] {
  const only = typeof content !== "string" && content.length === 1 ? content[0] : undefined;
  if (only?.type !== "tool_result") return content;
  return (only as { readonly content?: string | readonly Block[] }).content ?? "";
}

function editContent(edit: Edit): string | readonly Block[] {
  switch (edit.kind) {
    case "replace-result":
      return edit.content;
    case "replace-input":
      return JSON.stringify(edit.input);
    case "collapse-round":
      return edit.note;
    case "replace-range":
      return edit.summary;
    case "strip-blocks":
      return "";
    case "replace-block":
      return edit.text;
  }
}

export function asBlocks(content: string | readonly Block[]): readonly Block[] {
  return typeof content === "string" ? [textBlock(content)] : content;
}

/** Contents are handed out without a copy, so they must not change. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
