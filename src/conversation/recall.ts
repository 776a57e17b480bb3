import { resultHints } from "../content/calls/result-hints.ts";
import { kindOf, type ContentKind } from "../content/kinds/kind-of.ts";
import { recordsOf, type RecordList } from "../content/kinds/records-of.ts";
import type { Edit } from "../edits/edit.ts";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import type { LogIndex } from "../messages/index-log.ts";
import { blockAt, isText, textBlock, type Block, type Message, type ToolUseBlock } from "../messages/message.ts";
import { originalPart, originalParts } from "../passes/original-parts.ts";
import { callAnsweredAt } from "./call-answered-at.ts";
import { excerpt } from "./excerpt.ts";
import type { Handles } from "./handles.ts";
import { originalOf } from "./originals.ts";
import type { ParsedRecall } from "./tools/recall-tool.ts";

export interface Recalled {
  readonly handle: string;
  /** Text, or blocks if the original is more than text and all of it was requested. */
  readonly content: string | readonly Block[];
}

/** Returns the original that a handle names, or the requested part of it. */
export function recallFrom(log: readonly Message[], index: LogIndex, handles: Handles, asked: ParsedRecall): Recalled {
  const { handle } = asked;
  const { edits, parts } = handles.named(handle);
  const { text, content } = originalOf(log, edits);
  // Records are numbered in the whole original, even if the handle names one part.
  const recordsIn = (): { text: string; list: RecordList | undefined } => ({ text, list: recordsOf(text, kindOfOriginal(log, index, edits, text)) });
  if (parts !== undefined) return { handle, content: excerpt(partOf(text, parts, handle), asked, recordsIn) };
  const shown = excerpt(text, asked, recordsIn);
  const isWhole = asked.lines === undefined && asked.records === undefined && asked.grep === undefined;
  if (content === undefined || !isWhole) return { handle, content: shown };
  // Only text has a length that can be cut.
  return { handle, content: shown === text ? content : [textBlock(shown), ...content.filter((block) => !isText(block))] };
}

/** Returns the kind of an original; for a tool result, the call gives hints. */
function kindOfOriginal(log: readonly Message[], index: LogIndex, [edit, ...others]: readonly Edit[], text: string): ContentKind {
  const call = edit?.kind === "replace-result" && others.length === 0 ? callAnsweredAt(edit.at, index) : undefined;
  const use = call === undefined ? undefined : (blockAt(log, call) as ToolUseBlock);
  return kindOf(text, resultHints({ tool: use?.name ?? "", input: use?.input }));
}

function partOf(text: string, { first, last }: { readonly first: number; readonly last: number }, handle: string): string {
  const found = originalPart(text, first, last);
  if (found !== undefined) return found;
  const { length } = originalParts(text);
  const asked = first === last ? `There is no part ${first}` : `There are no parts ${first} to ${last}`;
  const message = `${asked} of what ${JSON.stringify(handle)} names: it has ${length === 1 ? "no parts" : `parts 1 to ${length}`}.`;
  throw new PalimpsestError("HANDLE_UNKNOWN", message, { handle, parts: length });
}
