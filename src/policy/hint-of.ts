import type { ContentHint } from "../content/content-kind.ts";
import { callFacts } from "../content/call-facts.ts";
import { blockAt, type Message, type ToolUseBlock } from "../messages/message.ts";
import type { Piece } from "./piece.ts";

/** What the call says of a result. */
export function hintOf(log: readonly Message[], piece: Piece): ContentHint {
  const use = blockAt(log, piece.callAt);
  return { tool: piece.tool, input: use?.type === "tool_use" ? (use as ToolUseBlock).input : undefined, isError: piece.isError };
}

/** What was read of a file costs one call to get again; what a command, a search or a service said may cost more, or be gone. */
export function canReadAgain(log: readonly Message[], piece: Piece): boolean {
  return (piece.isFile ??= callFacts(hintOf(log, piece)).isFileRead);
}
