import { isRecord } from "../../errors/is-record.ts";
import type { ReportedUsage } from "../../messages/usage.ts";
import { countOf, fieldsOf, type JsonFields } from "./json-fields.ts";
import type { MergeUsage } from "./sum-counts.ts";

/** OpenAI's two APIs have the same counts under different names. */
export interface OpenAiUsageFields {
  readonly input: string;
  readonly output: string;
}

/** OpenAI includes tokens read from or written to the cache in the input. */
export function readOpenAiUsage(usage: unknown, fields: OpenAiUsageFields): ReportedUsage | undefined {
  if (!isRecord(usage)) return undefined;
  const { cached_tokens: cached, cache_write_tokens: written, cache_write_tokens_details: byTtl } = fieldsOf(usage[`${fields.input}_details`]);
  // DeepSeek reports it next to the other counts.
  const cacheReadTokens = countOf(cached ?? usage["prompt_cache_hit_tokens"]);
  const cacheWriteTokens = countOf(written);
  const longCacheWriteTokens = Math.min(cacheWriteTokens, countOf(fieldsOf(byTtl)["ttl_12h_tokens"]));
  return {
    inputTokens: Math.max(countOf(usage[fields.input]), cacheReadTokens + cacheWriteTokens),
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: countOf(usage[fields.output]),
    ...(longCacheWriteTokens === 0 ? {} : { longCacheWriteTokens }),
  };
}

/** Merges the usage of several answers. */
export function mergeOpenAiUsage(raws: readonly object[], fields: OpenAiUsageFields, mergeUsage: MergeUsage): { readonly usage?: JsonFields } {
  const read = [fields.input, `${fields.input}_details`, "prompt_cache_hit_tokens", "prompt_cache_miss_tokens"];
  const { usage } = mergeUsage(raws.map(fieldsOf), read);
  if (!isRecord(usage)) return {};
  return { usage: "total_tokens" in usage ? { ...usage, total_tokens: countOf(usage[fields.input]) + countOf(usage[fields.output]) } : usage };
}
