import type { InputCounts } from "../protocol.ts";
import { createBreakpointCache } from "./breakpoint-cache.ts";
import { stringOf } from "./json-values.ts";
import { createPrefixCache, inputCounts } from "./prefix-cache.ts";
import type { CachedPrompt } from "./prompt-pieces.ts";

/** Counts the tokens of a prompt, by what the cache of its model has of it, and remembers the prompt. */
export type CountPrompt = (prompt: CachedPrompt, nowMs: number) => InputCounts;

export function createPromptCounter(tokensOf: (piece: unknown) => number): CountPrompt {
  const automatic = createPrefixCache(tokensOf);
  const atBreakpoints = createBreakpointCache(tokensOf);
  return (prompt, nowMs) => {
    const model = stringOf(prompt.body["model"]);
    if (cachesAtBreakpoints(model)) return atBreakpoints(prompt, nowMs);
    const values = prompt.pieces.map(({ value }) => value);
    return inputCounts(automatic(model, values, nowMs));
  };
}

/** F: GPT-5.6 and later. Any other model has the older cache. */
function cachesAtBreakpoints(model: string): boolean {
  const [, major, minor = "0"] = /(?:^|\/)gpt-(\d+)(?:\.(\d+))?(?![\d.a-z])/.exec(model) ?? [];
  return major !== undefined && Number(major) * 100 + Number(minor) >= 506;
}

/** All input tokens: OpenAI's count includes those that were read or written. */
export function totalOf(counts: InputCounts): number {
  return counts.uncached + counts.cacheRead + writtenOf(counts);
}

/** OpenAI reports all writes as one number. */
export function writtenOf({ cacheWrite30m, cacheWrite12h }: InputCounts): number {
  return cacheWrite30m + cacheWrite12h;
}
