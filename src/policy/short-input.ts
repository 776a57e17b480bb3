import { beginningOf } from "../messages/beginning-of.ts";
import { isRecord } from "../errors/is-record.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";

/** Strings up to this stay as they are: names, paths, commands, queries. */
const SHORT_CHARS = 160;
const CHARS_PER_TOKEN = 3;

/**
 * Returns the input of a call with its long strings cut to their start. Names, paths and short values stay, so that the call can still be
 * understood. Undefined: it would not be shorter.
 */
export function shortInput(input: unknown, maxTokens: number, note: string): Record<string, unknown> | undefined {
  if (!isRecord(input)) return undefined;
  const cuts = { made: 0 };
  const cut = (value: unknown, depth: number): unknown => {
    if (typeof value === "string") {
      if (value.length <= SHORT_CHARS) return value;
      const head = beginningOf(value, Math.max(SHORT_CHARS, Math.floor((maxTokens * CHARS_PER_TOKEN) / 2)));
      if (head.length >= value.length) return value;
      const lines = value.split("\n").length;
      const stated = `[… ${value.length - head.length} more characters, ${lines} lines in all]`;
      return `${head}\n${cuts.made++ === 0 && note !== "" ? `${stated} ${note}` : stated}`;
    }
    if (depth > MAX_DEPTH) return value;
    if (Array.isArray(value)) return value.map((item) => cut(item, depth + 1));
    if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item, depth + 1)]));
    return value;
  };
  const shorter = cut(input, 0) as Record<string, unknown>;
  return cuts.made > 0 && estimateTokens(JSON.stringify(shorter)) < estimateTokens(JSON.stringify(input)) ? shorter : undefined;
}

/** Deeper values are data, and are left alone. */
const MAX_DEPTH = 6;
