import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import { blockAt, blocksOf, isText, isToolUse, textBlock, type Block, type ToolResultBlock, type ToolUseBlock } from "../../messages/message.ts";
import { originalPart, originalParts } from "../../passes/original-parts.ts";
import { compactTool, parseCompactInput } from "../tools/compact-tool.ts";
import { parseRecallInput, recallTool } from "../tools/recall-tool.ts";
import { compactLog } from "./compaction.ts";
import { excerpt } from "./excerpt.ts";
import { originalOf } from "./originals.ts";
import type { ThreadEvents } from "./thread-events.ts";
import type { ThreadLog } from "./thread-log.ts";

/** Which tools of ours the model has. */
export interface HiddenTools {
  readonly compact: boolean;
  readonly recall: boolean;
}

export function isHiddenTool(name: string, { compact, recall }: HiddenTools): boolean {
  return (compact && name === compactTool.name) || (recall && name === recallTool.name);
}

interface HiddenCallOptions {
  readonly tools: HiddenTools;
  readonly strip: "all" | "after-edit";
  readonly events: ThreadEvents;
}

/** Runs the calls of `compact` and `recall` in the message at this position, which is the last one. Mistaken ones get an error, so that the model can correct itself. */
export function runHiddenCalls(thread: ThreadLog, position: number, options: HiddenCallOptions): ToolResultBlock[] {
  const message = thread.messages[position];
  const uses = message === undefined ? [] : blocksOf(message);
  const isOnly = uses.filter(isToolUse).length === 1;
  return uses.flatMap((use, block) => {
    if (!isToolUse(use) || !isHiddenTool(use.name, options.tools)) return [];
    // The turn itself can be taken out only where no other call of it has to keep its result.
    const end = { position: isOnly ? position + 1 : position, block: 0 };
    return [use.name === compactTool.name ? runCompact(thread, use, { position, block }, end, options) : runRecall(thread, use, options)];
  });
}

/** The results that the hidden calls of the message before this position got in the message there. */
export function hiddenResultsAt({ parsed: { log, index } }: ThreadLog, position: number, tools: HiddenTools): ToolResultBlock[] {
  return index.calls.flatMap((call) => {
    const use = blockAt(log, call);
    const isHidden = use !== undefined && isToolUse(use) && isHiddenTool(use.name, tools);
    return isHidden && call.position < position && call.result?.position === position ? [blockAt(log, call.result) as ToolResultBlock] : [];
  });
}

function runCompact(
  thread: ThreadLog,
  use: ToolUseBlock,
  call: { readonly position: number; readonly block: number },
  end: { readonly position: number; readonly block: number },
  { strip, events }: HiddenCallOptions,
): ToolResultBlock {
  try {
    const edits = compactLog(thread, parseCompactInput(use.input), { strip, end, call });
    if (edits.length > 0) events.emit("messages-updated", { edits, undone: false });
    return resultOf(use, "Compacted.");
  } catch (error) {
    return refusal(use, error, events);
  }
}

function runRecall(thread: ThreadLog, use: ToolUseBlock, { events }: HiddenCallOptions): ToolResultBlock {
  try {
    const { handle, content } = recallFrom(thread, use.input);
    events.emit("recalled", { handle });
    return resultOf(use, content);
  } catch (error) {
    return refusal(use, error, events);
  }
}

export interface Recalled {
  readonly handle: string;
  /** Text; blocks where the original is more than text, and all of it was asked for. */
  readonly content: string | readonly Block[];
}

export function recallFrom(thread: ThreadLog, input: unknown): Recalled {
  const asked = parseRecallInput(input);
  const { edit, parts } = thread.handles.named(asked.handle);
  const { text, content } = originalOf(thread.messages, edit);
  if (parts !== undefined) return { handle: asked.handle, content: excerpt(partOf(text, parts, asked.handle), asked) };
  const shown = excerpt(text, asked);
  if (content === undefined || asked.lines !== undefined || asked.grep !== undefined) return { handle: asked.handle, content: shown };
  // What is no text has no length that could be cut.
  return { handle: asked.handle, content: shown === text ? content : [textBlock(shown), ...content.filter((block) => !isText(block))] };
}

function partOf(text: string, { first, last }: { readonly first: number; readonly last: number }, handle: string): string {
  const found = originalPart(text, first, last);
  if (found !== undefined) return found;
  const { length } = originalParts(text);
  const asked = first === last ? `There is no part ${first}` : `There are no parts ${first} to ${last}`;
  const message = `${asked} of what ${JSON.stringify(handle)} names: it has ${length === 1 ? "no parts" : `parts 1 to ${length}`}.`;
  throw new PalimpsestError("HANDLE_UNKNOWN", message, { handle, parts: length });
}

function resultOf(use: ToolUseBlock, content: string | readonly Block[]): ToolResultBlock {
  return { type: "tool_result", tool_use_id: use.id, content: content.length === 0 ? "[empty]" : content };
}

/** Only mistakes of the model's are its business; anything else is a fault of ours, and not swallowed. */
function refusal(use: ToolUseBlock, error: unknown, events: ThreadEvents): ToolResultBlock {
  if (!PalimpsestError.isInstance(error)) throw error;
  events.emit("call-refused", { tool: use.name, error });
  return { type: "tool_result", tool_use_id: use.id, content: `${error.code}: ${error.message}`, is_error: true };
}
