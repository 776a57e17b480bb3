import { invalid } from "../errors/palimpsest-error.ts";
import { isRecord } from "../errors/is-record.ts";

/** Usage as the provider reports it: `input_tokens` alone leaves out what was read from or written to the cache. */
export interface ReportedUsage {
  readonly input_tokens: number;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
}

/** Returns all tokens that the model read: input, cache read and cache creation. */
export function inputTokensOf(usage: ReportedUsage): number {
  if (!isRecord(usage)) throw invalid("INVALID_INPUT", "usage", "a usage object with input_tokens", usage);
  return tokensIn(usage, "input_tokens") + tokensIn(usage, "cache_read_input_tokens") + tokensIn(usage, "cache_creation_input_tokens");
}

function tokensIn(usage: ReportedUsage, field: keyof ReportedUsage): number {
  const value: unknown = usage[field];
  if (value === undefined || value === null) return 0;
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0)
    throw invalid("INVALID_INPUT", `usage.${field}`, "a number of tokens, 0 or more", value);
  return value;
}
