import type { Proposal } from "../edits/edit.ts";
import { blockAt, resultText, textBlock, type Block, type Message, type ToolResultBlock } from "../messages/message.ts";
import { handleNote } from "../passes/handle.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { contentTokens } from "../tokens/message-tokens.ts";
import { isMedia } from "../tokens/media-payload.ts";
import { pieceHandle } from "./handles.ts";
import type { Piece } from "./piece.ts";
import type { ParsedPolicy } from "./policy-options.ts";

/**
 * Before: the text of a file that was read again since, or an image. After: one line that says so and names the handle. Other
 * content beside an image stays. Undefined: it would not be shorter.
 */
export function noteInPlaceOf(log: readonly Message[], piece: Piece, isRepeated: boolean, { thread, naming }: ParsedPolicy): Proposal | undefined {
  const block = blockAt(log, piece.at);
  if (block === undefined) return undefined;
  const handle = pieceHandle(log, thread, piece);
  const isNamed = naming === "all";
  const original = piece.kind === "result" ? resultText(block as ToolResultBlock) : "";
  const said = (what: string): string => (isNamed ? `${what} ${handleNote(handle, original)}` : what);
  const origin = { madeAt: log.length, ...(isNamed ? { handle } : {}) };
  if (piece.kind === "media") {
    const text = said(mediaNote(block, piece.media));
    return isShorter(text, piece) ? { kind: "replace-block", at: piece.at, text, pass: "age-images", reason: "old", ...origin } : undefined;
  }
  const result = block as ToolResultBlock;
  const shown = { kind: "replace-result", at: piece.at, callId: piece.callId, ...origin } as const;
  if (isRepeated) {
    const content = said(`[Read again later. Not shown here: ${original.split("\n").length} lines, ${piece.tokens} tokens.]`);
    return isShorter(content, piece) ? { ...shown, form: "duplicate", content, pass: "drop-superseded", reason: "read again later" } : undefined;
  }
  if (typeof result.content !== "object") return undefined;
  const content = result.content.map((part) => (isMedia(part) ? textBlock(said(mediaNote(part, contentTokens([part])))) : part));
  return contentTokens(content) < piece.shownTokens ? { ...shown, form: "stub", content, pass: "age-images", reason: "old" } : undefined;
}

function isShorter(text: string, { shownTokens }: Piece): boolean {
  return estimateTokens(text) < shownTokens;
}

function mediaNote({ type }: Block, tokens: number): string {
  return `[${type}, ${tokens} tokens, not shown]`;
}
