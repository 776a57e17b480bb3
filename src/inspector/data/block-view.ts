import { isRecord } from "../../errors/is-record.ts";
import { isText, isThinking, isToolResult, isToolUse, resultText, type Block } from "../../messages/message.ts";
import type { BlockView } from "../answers.ts";
import type { PlacedBlock } from "./aligned-rows.ts";

const PREVIEW_CHARS = 4_000;
const TAIL_CHARS = 500;
const GIST_CHARS = 120;

/** The tools and arguments of calls, by call id. */
export type CallNames = ReadonlyMap<string, { readonly name: string; readonly gist: string }>;

export interface BlockViewOptions {
  readonly id: string;
  readonly tokens: number;
  readonly calls: CallNames;
  readonly previewChars?: number;
}

export function viewOfBlock({ position, number, role, block }: PlacedBlock, { id, tokens, calls, previewChars = PREVIEW_CHARS }: BlockViewOptions): BlockView {
  const text = textOfBlock(block);
  const isCut = text.length > previewChars + TAIL_CHARS;
  const called = isToolResult(block) ? calls.get(block.tool_use_id) : undefined;
  const media = mediaIn(block).map(({ type, data }, index) => ({ index, type, bytes: Math.floor((data.length * 3) / 4), isShowable: SHOWABLE.includes(type) }));
  const kind = kindOfBlock(block, position);
  const name = isToolUse(block) ? block.name : called?.name;
  const gist = isToolUse(block) ? gistOf(block.input) : called?.gist;
  return {
    id,
    place: position < 0 ? "view" : `${position}.${number}`,
    role,
    kind,
    ...(name === undefined ? {} : { name }),
    ...(gist === undefined || gist === "" ? {} : { gist }),
    tokens,
    chars: text.length,
    lines: countLines(text),
    text: isCut ? safeSlice(text, 0, previewChars) : text,
    isCut,
    ...(isCut ? { tail: safeSlice(text, text.length - TAIL_CHARS, text.length) } : {}),
    ...(isToolResult(block) && block.is_error === true ? { isError: true } : {}),
    ...(media.length === 0 ? {} : { media }),
  };
}

/** Returns the input of a call as readable JSON, or the text of any other block. Images have none. */
export function textOfBlock(block: Block): string {
  if (isText(block)) return block.text;
  if (isToolResult(block)) return resultText(block);
  if (isToolUse(block)) return inputText(block.input);
  if (isThinking(block)) {
    const { thinking } = block as { readonly thinking?: unknown };
    return typeof thinking === "string" && thinking !== "" ? thinking : "(encrypted by the provider)";
  }
  if (block.type === "checkpoint") return `<checkpoint:${String((block as { readonly id?: unknown }).id)}>`;
  if (block.type === "system_reminder") return String((block as { readonly text?: unknown }).text);
  if (mediaIn(block).length > 0) return "";
  return JSON.stringify(block, null, 2);
}

/** Writes long strings with their line breaks, so that a code edit can be read. */
function inputText(input: unknown): string {
  if (!isRecord(input)) return JSON.stringify(input, null, 2);
  const parts = Object.entries(input).map(([key, value]) => {
    if (typeof value !== "string") return `${key}: ${JSON.stringify(value)}`;
    return value.includes("\n") ? `${key}:\n${value}` : `${key}: ${value}`;
  });
  return parts.join("\n");
}

export function gistOf(input: unknown): string {
  if (!isRecord(input)) return "";
  const first = Object.values(input).find((value) => typeof value === "string" && value.trim() !== "");
  return typeof first === "string"
    ? safeSlice(
        first
          .slice(0, GIST_CHARS * 4)
          .replace(/\s+/g, " ")
          .trim(),
        0,
        GIST_CHARS,
      )
    : "";
}

function kindOfBlock(block: Block, position: number): BlockView["kind"] {
  if (position < 0) return isText(block) ? "summary" : "note";
  if (isText(block) || block.type === "system_reminder") return "text";
  if (isThinking(block)) return "thinking";
  if (isToolUse(block)) return "call";
  if (isToolResult(block)) return "result";
  if (block.type === "checkpoint") return "checkpoint";
  return mediaIn(block).length > 0 ? "media" : "other";
}

interface Media {
  readonly type: string;
  /** Base64. */
  readonly data: string;
}

/** Other types are not shown: a browser might run what is in them. */
const SHOWABLE: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

export function isShowable(type: string): boolean {
  return SHOWABLE.includes(type);
}

export function mediaIn(block: Block): readonly Media[] {
  if (isToolResult(block)) return typeof block.content === "string" ? [] : (block.content ?? []).flatMap(mediaIn);
  const { source } = block as { readonly source?: unknown };
  if ((block.type !== "image" && block.type !== "document") || !isRecord(source)) return [];
  const { media_type: type, data } = source;
  return [{ type: typeof type === "string" ? type : "unknown", data: typeof data === "string" ? data : "" }];
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** Slices without splitting a surrogate pair. */
export function safeSlice(text: string, from: number, to: number): string {
  const start = from > 0 && isLowSurrogate(text.charCodeAt(from)) ? from - 1 : from;
  const end = to < text.length && isLowSurrogate(text.charCodeAt(to)) ? to - 1 : to;
  return text.slice(start, end);
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
