import { blocksIn, isRecord, isThought, type ApiRequest, type Json } from "./api-request.ts";

export type Ttl = "5m" | "1h";

/** A tool, a system block or a block of a message: what the prompt cache counts as one position (F). */
export interface PromptPiece {
  readonly part: "tools" | "system" | "messages";
  /** The role of a message, or else the part of the prompt. */
  readonly role: string;
  readonly value: Json;
  readonly path: string;
}

export interface CacheMarker {
  /** The index of the piece that has the marker on it or in it. */
  readonly index: number;
  readonly ttl: Ttl;
  readonly path: string;
  readonly isOnEmptyText: boolean;
}

/** F: tools, then system, then messages. */
export function piecesOf({ tools, system, messages }: ApiRequest): readonly PromptPiece[] {
  return [
    ...tools.map((value, index): PromptPiece => ({ part: "tools", role: "tools", value, path: `tools.${index}` })),
    ...system.map((value, index): PromptPiece => ({ part: "system", role: "system", value, path: `system.${index}` })),
    ...messages.flatMap(({ role, blocks }, position) =>
      blocks.map((value, index): PromptPiece => ({ part: "messages", role, value, path: `messages.${position}.content.${index}` })),
    ),
  ];
}

/** Returns all markers; those inside a tool result come before its own. */
export function markersOn(pieces: readonly PromptPiece[]): readonly CacheMarker[] {
  return pieces.flatMap(({ value, path }, index) => {
    const inner = value["type"] === "tool_result" && Array.isArray(value["content"]) ? blocksIn(value["content"]) : [];
    return [...inner.map((part, at): [Json, string] => [part, `${path}.content.${at}`]), [value, path] as const].flatMap(([part, at]) => {
      const marker = part["cache_control"];
      if (!isRecord(marker)) return [];
      return [{ index, ttl: ttlOf(marker), path: at, isOnEmptyText: part["type"] === "text" && part["text"] === "" }];
    });
  });
}

/** F: `cache_control` of the request itself is a marker on the last piece that can have one. */
export function automaticMarker({ body }: ApiRequest, pieces: readonly PromptPiece[]): CacheMarker | undefined {
  const marker = body["cache_control"];
  if (!isRecord(marker)) return undefined;
  const index = pieces.findLastIndex(({ value }) => canBeMarked(value));
  return index === -1 ? undefined : { index, ttl: ttlOf(marker), path: "cache_control", isOnEmptyText: false };
}

function canBeMarked(value: Json): boolean {
  const type = typeof value["type"] === "string" ? value["type"] : "";
  return !isThought({ type }) && !(type === "text" && value["text"] === "");
}

function ttlOf(marker: Json): Ttl {
  return marker["ttl"] === "1h" ? "1h" : "5m";
}

/** Returns a piece without its markers: they are not content and may move freely (A4.8, F). */
export function withoutMarkers(value: Json): Json {
  const { cache_control: _, ...rest } = value;
  const content = rest["content"];
  if (rest["type"] !== "tool_result" || !Array.isArray(content)) return rest;
  return { ...rest, content: (content as Json[]).map(withoutMarkers) };
}
