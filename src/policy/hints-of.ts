import { resultHints, type ResultHints } from "../content/calls/result-hints.ts";
import { blockAt, type Message, type ToolUseBlock } from "../messages/message.ts";
import type { Piece } from "./piece.ts";

/** What the call says of a result. */
export function hintsOf(log: readonly Message[], piece: Piece): ResultHints {
  if (piece.call !== undefined) return piece.call;
  const use = blockAt(log, piece.callAt);
  return (piece.call = resultHints({ tool: piece.tool, input: use?.type === "tool_use" ? (use as ToolUseBlock).input : undefined }));
}

/** What was read of a file costs one call to get again; what a command, a search or a service said may cost more, or be gone. */
export function canReadAgain(log: readonly Message[], piece: Piece): boolean {
  return hintsOf(log, piece).isFileRead;
}
