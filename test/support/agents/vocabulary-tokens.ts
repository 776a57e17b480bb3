import { exactTokens } from "../../../src/exact-tokens/exact-tokens.ts";

/** No part of a text that a model reads. */
const UNREAD = new Set(["type", "role", "id", "status", "tool_use_id", "tool_call_id", "call_id", "signature", "encrypted_content", "cache_control"]);
/** What a model reads as JSON. */
const READ_AS_JSON = new Set(["input", "parameters", "input_schema"]);
/** What a provider adds to a piece. */
const TOKENS_AROUND = 6;

const counted = new Map<string, number>();

/**
 * Tokens of a piece of a prompt as a provider counts them: its texts by a vocabulary, and a little around them. The double's own count, a quarter of the
 * JSON, says too little of what was never sent: it counts escapes and ids, and all kinds of text alike.
 */
export function vocabularyTokens(piece: unknown): number {
  return textsIn(piece).reduce((sum, text) => sum + tokensOf(text), TOKENS_AROUND);
}

function textsIn(value: unknown, key = ""): readonly string[] {
  if (UNREAD.has(key)) return [];
  if (typeof value === "string") return [value];
  if (READ_AS_JSON.has(key)) return [JSON.stringify(value)];
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each));
  return typeof value === "object" && value !== null ? Object.entries(value).flatMap(([name, each]) => textsIn(each, name)) : [];
}

function tokensOf(text: string): number {
  const tokens = counted.get(text) ?? exactTokens(text);
  counted.set(text, tokens);
  return tokens;
}
