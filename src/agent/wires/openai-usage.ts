import { isRecord } from "../../errors/is-record.ts";
import type { Usage } from "../../messages/usage.ts";
import { countOf, fieldsOf, type JsonFields } from "./json-fields.ts";
import { sumFields } from "./sum-counts.ts";

/** OpenAI's two APIs count the same things under different fields. */
export interface OpenAiUsageFields {
  readonly input: string;
  readonly output: string;
}

/** OpenAI counts what was read from the cache, or written to it, as a part of the input. */
export function readOpenAiUsage(usage: unknown, fields: OpenAiUsageFields): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  const { cached_tokens: cached, cache_write_tokens: written } = fieldsOf(usage[`${fields.input}_details`]);
  // DeepSeek fields it beside the other counts.
  const cacheReadTokens = countOf(cached ?? usage["prompt_cache_hit_tokens"]);
  const cacheWriteTokens = countOf(written);
  return {
    inputTokens: Math.max(countOf(usage[fields.input]), cacheReadTokens + cacheWriteTokens),
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: countOf(usage[fields.output]),
  };
}

/** The usage of several answers. The last one read all that the ones before it read. */
export function mergeOpenAiUsage(raws: readonly object[], fields: OpenAiUsageFields): { readonly usage?: JsonFields } {
  const usages = raws.map((raw) => fieldsOf(raw)["usage"]);
  const last = usages.at(-1);
  if (!isRecord(last)) return {};
  const written = sumFields(usages.map(fieldsOf), [fields.output, `${fields.output}_details`]);
  const total = "total_tokens" in last ? { total_tokens: countOf(last[fields.input]) + countOf(written[fields.output]) } : {};
  return { usage: { ...last, ...written, ...total } };
}
