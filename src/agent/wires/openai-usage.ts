import { isRecord } from "../../errors/is-record.ts";
import type { ObservedUsage } from "../front-end/wire.ts";
import { countOf, fieldsOf, type JsonFields } from "./json-fields.ts";
import { sumFields } from "./sum-counts.ts";

/** OpenAI's two APIs count the same things under different names. */
export interface UsageNames {
  readonly input: string;
  readonly output: string;
}

/** OpenAI counts what was read from the cache, or written to it, as a part of the input. */
export function readOpenAiUsage(usage: unknown, names: UsageNames): ObservedUsage | undefined {
  if (!isRecord(usage)) return undefined;
  const { cached_tokens: cached, cache_write_tokens: written } = fieldsOf(usage[`${names.input}_details`]);
  // DeepSeek names it beside the other counts.
  const cacheRead = countOf(cached ?? usage["prompt_cache_hit_tokens"]);
  const cacheWrite = countOf(written);
  return {
    input_tokens: Math.max(0, countOf(usage[names.input]) - cacheRead - cacheWrite),
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
    output_tokens: countOf(usage[names.output]),
  };
}

/** The usage of several answers. The last one read all that the ones before it read. */
export function mergeOpenAiUsage(raws: readonly object[], names: UsageNames): { readonly usage?: JsonFields } {
  const usages = raws.map((raw) => fieldsOf(raw)["usage"]);
  const last = usages.at(-1);
  if (!isRecord(last)) return {};
  const written = sumFields(usages.map(fieldsOf), [names.output, `${names.output}_details`]);
  const total = "total_tokens" in last ? { total_tokens: countOf(last[names.input]) + countOf(written[names.output]) } : {};
  return { usage: { ...last, ...written, ...total } };
}
