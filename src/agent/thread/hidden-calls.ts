import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import { blockAt, blocksOf, isToolUse, type Block, type ToolResultBlock, type ToolUseBlock } from "../../messages/message.ts";
import { compactTool, parseCompactInput } from "../../conversation/tools/compact-tool.ts";
import { recallTool } from "../../conversation/tools/recall-tool.ts";
import { EMPTY, mistakeOf } from "../../conversation/tools/run-recall.ts";
import { compactLog } from "./compaction.ts";
import type { ThreadEvents } from "./thread-events.ts";
import type { Conversation } from "../../conversation/conversation.ts";

/** Which tools of ours the model has. */
export interface HiddenTools {
  readonly compact: boolean;
  readonly recall: boolean;
}

/** Returns whether a call of it is answered here: it is our tool, or one that the model does not have. */
export function isAnsweredHere(name: string, tools: HiddenTools, known: readonly string[] | undefined): boolean {
  return isHiddenTool(name, tools) || known?.includes(name) === false;
}

export function isHiddenTool(name: string, { compact, recall }: HiddenTools): boolean {
  return (compact && name === compactTool.name) || (recall && name === recallTool.name);
}

interface HiddenCallOptions {
  readonly tools: HiddenTools;
  readonly strip: "all" | "after-edit";
  readonly events: ThreadEvents;
  /** The names of all tools that the model has. Undefined: unknown, so every other tool is the caller's. */
  readonly known?: readonly string[] | undefined;
  /** Returns the original of a handle that this conversation does not have, if another one has it. */
  readonly recallElsewhere?: (input: unknown) => string | readonly Block[] | undefined;
}

/**
 * Runs the calls of `compact` and `recall` in the message at this position, which is the last one. Mistaken calls, and calls of tools that the model does
 * not have, get an error, so that it can correct itself.
 */
export function runHiddenCalls(conversation: Conversation, position: number, options: HiddenCallOptions): ToolResultBlock[] {
  const message = conversation.log[position];
  const uses = message === undefined ? [] : blocksOf(message);
  const isOnly = uses.filter(isToolUse).length === 1;
  return uses.flatMap((use, block) => {
    if (!isToolUse(use) || !isAnsweredHere(use.name, options.tools, options.known)) return [];
    if (!isHiddenTool(use.name, options.tools)) return [refusal(use, toolUnknown(use, options.known), options.events)];
    // The turn itself can be removed only if none of its other calls has to keep its result.
    const end = { position: isOnly ? position + 1 : position, block: 0 };
    return [use.name === compactTool.name ? runCompact(conversation, use, { position, block }, end, options) : runRecall(conversation, use, options)];
  });
}

/** Returns the results, in the message at this position, of those calls of the message before it that were answered here. */
export function hiddenResultsAt(
  { parsed: { log, index } }: Conversation,
  position: number,
  tools: HiddenTools,
  known: readonly string[] | undefined,
): ToolResultBlock[] {
  return index.calls.flatMap((call) => {
    const use = blockAt(log, call);
    const isHidden = use !== undefined && isToolUse(use) && isAnsweredHere(use.name, tools, known);
    return isHidden && call.position < position && call.result?.position === position ? [blockAt(log, call.result) as ToolResultBlock] : [];
  });
}

function runCompact(
  conversation: Conversation,
  use: ToolUseBlock,
  call: { readonly position: number; readonly block: number },
  end: { readonly position: number; readonly block: number },
  { strip, events }: HiddenCallOptions,
): ToolResultBlock {
  try {
    const edits = compactLog(conversation, parseCompactInput(use.input), { strip, end, call });
    if (edits.length > 0) events.emit("messages-updated", { edits, undone: false });
    return resultOf(use, "Compacted.");
  } catch (error) {
    return refusal(use, error, events);
  }
}

function runRecall(conversation: Conversation, use: ToolUseBlock, { events, recallElsewhere }: HiddenCallOptions): ToolResultBlock {
  try {
    const { handle, content } = conversation.recall(use.input);
    events.emit("recalled", { handle });
    return resultOf(use, content);
  } catch (error) {
    const isUnknown = PalimpsestError.isInstance(error) && error.code === "HANDLE_UNKNOWN";
    const elsewhere = isUnknown ? recallElsewhere?.(use.input) : undefined;
    return elsewhere === undefined ? refusal(use, error, events) : resultOf(use, elsewhere);
  }
}

function resultOf(use: ToolUseBlock, content: string | readonly Block[]): ToolResultBlock {
  return { type: "tool_result", tool_use_id: use.id, content: content.length === 0 ? EMPTY : content };
}

/** Returns mistakes of the model to the model. Anything else is our fault, and thrown. */
function refusal(use: ToolUseBlock, error: unknown, events: ThreadEvents): ToolResultBlock {
  const content = mistakeOf(error);
  events.emit("call-refused", { tool: use.name, error: error as PalimpsestError });
  return { type: "tool_result", tool_use_id: use.id, content, is_error: true };
}

function toolUnknown({ id, name }: ToolUseBlock, tools: readonly string[] = []): PalimpsestError {
  return new PalimpsestError("CALL_UNKNOWN", `There is no tool ${JSON.stringify(name)}. Use one of: ${tools.join(", ")}.`, { id, name, tools });
}
