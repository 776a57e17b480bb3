import { resultHints, type ResultHints } from "../content/calls/result-hints.ts";
import { blockAt, type Message, type ToolUseBlock } from "../messages/message.ts";
import type { Piece } from "./piece.ts";

/** Returns what the call tells about a result. */
export function hintsOf(log: readonly Message[], piece: Piece): ResultHints {
  if (piece.call !== undefined) return piece.call;
  const use = blockAt(log, piece.callAt);
  return (piece.call = resultHints({ tool: piece.tool, input: use?.type === "tool_use" ? (use as ToolUseBlock).input : undefined }));
}

/** Returns whether a result was read from a file: that takes one call to repeat, but output of a command, a search or a service may cost more, or be gone. */
export function canReadAgain(log: readonly Message[], piece: Piece): boolean {
  return hintsOf(log, piece).isFileRead;
}
