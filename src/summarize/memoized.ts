import type { Summarizer } from "../stateless/summarize-and-prune.ts";
import { isFallback } from "./checked.ts";
import { parseSummaryInput } from "./parse-summary-input.ts";

/** Stores summaries, such as a Map. It may return promises; its errors are rethrown by the summarizer. */
export interface SummaryMemo {
  get(key: string): string | undefined | Promise<string | undefined>;
  set(key: string, summary: string): unknown;
}

/** Part of the key, because its inputs may change with a version of this package. */
const KEY_VERSION = 1;

/**
 * Asks the summarizer only once for the same input. The key is a hash of everything that an answer depends on; `identity` covers
 * what the input does not contain: the summarizer, its default model, its settings. Empty answers and answers of a fallback are
 * not stored.
 */
export function memoized(summarizer: Summarizer, memo: SummaryMemo, identity: string): Summarizer {
  return async (input) => {
    const { text, system, instructions, targetTokens, model, signal } = parseSummaryInput(input);
    const key = await sha256(JSON.stringify([KEY_VERSION, identity, text, system, instructions ?? null, targetTokens ?? null, model ?? null]));
    const known = await memo.get(key);
    if (known !== undefined) return known;
    signal?.throwIfAborted();
    const summary = await summarizer(input);
    if (summary.trim() !== "" && !isFallback(summary)) await memo.set(key, summary);
    return summary;
  };
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
