import type { Usage } from "../../messages/usage.ts";
import type { MessageEntry } from "./transcript-format.ts";
import { countOf, fieldAt } from "./unchecked-fields.ts";

/** When and by which model a message was made, and its usage, as far as the file says. */
export type MessageFacts = Pick<MessageEntry, "atMs" | "model" | "usage" | "wire">;

interface FoundFacts {
  readonly atMs?: number | undefined;
  readonly model?: unknown;
  readonly usage?: Usage | undefined;
}

export function messageFacts({ atMs, model, usage }: FoundFacts): MessageFacts {
  return {
    ...(atMs === undefined ? {} : { atMs }),
    ...(isModelName(model) ? { model } : {}),
    ...(usage === undefined ? {} : { usage }),
  };
}

/** Claude Code writes `<synthetic>` for answers of its own. */
function isModelName(model: unknown): model is string {
  return typeof model === "string" && model !== "" && !/^<.*>$/.test(model);
}

/** Parses a date string. One without a time zone is read the same way everywhere. */
export function timeOf(date: unknown): number | undefined {
  const atMs = typeof date === "string" ? Date.parse(/\d[T ]\d[\d:.]*$/.test(date) ? `${date}Z` : date) : NaN;
  return Number.isNaN(atMs) ? undefined : atMs;
}

/** Returns undefined for zero usage, which means that no model was called. */
export function usageUnlessNone(usage: Usage): Usage | undefined {
  return usage.inputTokens === 0 && usage.outputTokens === 0 ? undefined : usage;
}

/** Reads the usage that chat servers report; their prompt tokens include cached ones. */
export function chatUsage(usage: unknown): Usage | undefined {
  return usageUnlessNone({
    inputTokens: countOf(fieldAt(usage, "prompt_tokens")),
    cacheReadTokens: countOf(fieldAt(usage, "prompt_tokens_details", "cached_tokens"), fieldAt(usage, "cache_read_input_tokens")),
    cacheWriteTokens: countOf(fieldAt(usage, "cache_creation_input_tokens")),
    outputTokens: countOf(fieldAt(usage, "completion_tokens")),
  });
}
