import { hash64 } from "../edits/edit-id.ts";
import { blockAt, type Message, type ToolResultBlock, type ToolUseBlock } from "../messages/message.ts";
import { handleOf } from "../passes/handle.ts";
import type { Piece } from "./piece.ts";

/** One handle names at most this many places. */
export const MOST_PLACES = 100;

/** Returns the handle of a piece. It depends on the content too, so that two conversations never share one, nor two branches of a thread. */
export function pieceHandle(log: readonly Message[], thread: string, piece: Piece): string {
  return handleOf(thread, piece.at, 0, `|${contentOf(log, piece)}`);
}

/**
 * Returns the handle of whole messages. A longer stretch that begins at the same message has a different handle, and so does one with a different number
 * of places, because both may be shortened, one after the other.
 */
export function stretchHandle(log: readonly Message[], thread: string, from: number, to: number, places = 1): string {
  const at = { position: from, block: 0 };
  const salt = places === 1 ? to : -(to * (MOST_PLACES + 1) + places);
  return handleOf(thread, at, salt, `|${hashesOf(log.slice(from, to))}`);
}

/** Hashes each message by itself, to keep the text short even for a long stretch. */
function hashesOf(messages: readonly Message[]): string {
  return messages.map((message) => hash64(JSON.stringify(message))).join("");
}

function contentOf(log: readonly Message[], { kind, at }: Piece): string {
  const block = blockAt(log, at);
  const content = kind === "input" ? (block as ToolUseBlock).input : kind === "result" ? (block as ToolResultBlock).content : block;
  return typeof content === "string" ? content : JSON.stringify(content);
}
