import { exactTokens } from "../../../src/exact-tokens/exact-tokens.ts";

/** No part of a text that a model reads. */
const UNREAD = new Set(["type", "role", "id", "status", "tool_use_id", "tool_call_id", "call_id", "signature", "encrypted_content", "cache_control"]);
/** What a model reads as JSON. */
const READ_AS_JSON = new Set(["input", "parameters", "input_schema"]);

/** Returns the tokens of a piece of a prompt. */
export type ProviderCount = (piece: unknown) => number;

/**
 * Returns a count as providers do it: a piece's texts by a vocabulary, and a little around them. `factor`: the provider's tokens for one of o200k.
 * The double's own count, a quarter of the JSON, also counts escapes and ids, which no provider does.
 */
function vocabularyCount(factor: number, tokensAround: number): ProviderCount {
  return (piece) => Math.round(factor * textsIn(piece).reduce((sum, text) => sum + tokensOf(text), 0)) + tokensAround;
}

/** Ways in which providers count. */
export const PROVIDER_COUNTS: Readonly<Record<"o200k, 6 a piece" | "1.35 × o200k, 10 a piece" | "o200k alone", ProviderCount>> = {
  "o200k, 6 a piece": vocabularyCount(1, 6),
  // Newer Claude tokenizers.
  "1.35 × o200k, 10 a piece": vocabularyCount(1.35, 10),
  "o200k alone": vocabularyCount(1, 0),
};

function textsIn(value: unknown, key = ""): readonly string[] {
  if (UNREAD.has(key)) return [];
  if (typeof value === "string") return [value];
  if (READ_AS_JSON.has(key)) return [JSON.stringify(value)];
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each));
  return typeof value === "object" && value !== null ? Object.entries(value).flatMap(([name, each]) => textsIn(each, name)) : [];
}

const counted = new Map<string, number>();

function tokensOf(text: string): number {
  const tokens = counted.get(text) ?? exactTokens(text);
  counted.set(text, tokens);
  return tokens;
}
