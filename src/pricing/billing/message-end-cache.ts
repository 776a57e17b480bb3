import { invalid } from "../../errors/palimpsest-error.ts";
import { isToolResult, type Block } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import type { OpenRequest, Request } from "../../messages/request.ts";
import type { MessageEndCache, Ttl } from "../models/model.ts";
import type { CacheSimulation } from "./cache-simulation.ts";
import { createEntryCache, type Breakpoint } from "./entry-cache.ts";
import { markableParts } from "./markable-parts.ts";
import { pathOf } from "./prompt-place.ts";
import type { PromptBlock } from "./prompt.ts";

/**
 * OpenAI's cache from GPT-5.6 on (F). A request writes at its implicit breakpoint, the end of the newest message that can have one, and at
 * its explicit ones, `prompt_cache_breakpoint` on a block. It is compared with the cache at these and at the ends of earlier messages.
 */
export function createMessageEndCache(rules: MessageEndCache): CacheSimulation {
  const entries = createEntryCache(rules);
  return {
    send(request, prompt, nowMs) {
      const { isImplicit, ttl } = cacheOptions(request, rules);
      const explicit = explicitBreakpoints(prompt, ttl, rules);
      const ends = isImplicit ? messageEnds(prompt) : [];
      const newest = ends.slice(-1).map((index) => ({ index, ttl }));
      // Too many breakpoints are not an error: the newest ones are written.
      const written = explicit.slice(Math.max(0, explicit.length - (rules.maxBreakpoints - newest.length)));
      const indices = [...new Set([...ends, ...explicit.map(({ index }) => index)])].sort((a, b) => b - a);
      return entries.use(prompt, { lookups: indices.slice(0, rules.lookupBreakpoints), writes: [...written, ...newest] }, nowMs);
    },
  };
}

/** With mode "explicit" there is no implicit breakpoint, and without any breakpoint no caching. */
function cacheOptions(request: Request, rules: MessageEndCache): { readonly isImplicit: boolean; readonly ttl: Ttl } {
  const options = (request as OpenRequest)["prompt_cache_options"];
  if (options === undefined || options === null) return { isImplicit: true, ttl: rules.defaultTtl };
  if (!isRecord(options)) throw invalid("INVALID_INPUT", "prompt_cache_options", "an object", options);
  return { isImplicit: options["mode"] !== "explicit", ttl: ttlOf(options, "prompt_cache_options", rules.defaultTtl, rules) };
}

function explicitBreakpoints(prompt: readonly PromptBlock[], inherited: Ttl, rules: MessageEndCache): Breakpoint[] {
  return prompt.flatMap(({ value, at }, index) =>
    markableParts(value).flatMap(([part, inside]) => {
      const marker = part["prompt_cache_breakpoint"];
      return isRecord(marker) ? [{ index, ttl: ttlOf(marker, `${pathOf(at)}${inside}.prompt_cache_breakpoint`, inherited, rules) }] : [];
    }),
  );
}

function ttlOf(options: Readonly<Record<string, unknown>>, path: string, inherited: Ttl, { ttlMs }: MessageEndCache): Ttl {
  const ttl = options["ttl"] ?? inherited;
  if (typeof ttl !== "string" || !Object.hasOwn(ttlMs, ttl)) throw invalid("INVALID_INPUT", `${path}.ttl`, `one of ${Object.keys(ttlMs).join(", ")}`, ttl);
  return ttl as Ttl;
}

/** Returns the ends of messages that can have a breakpoint: the user's, the last of several results, and the instructions at the start. */
function messageEnds(prompt: readonly PromptBlock[]): number[] {
  const ends: number[] = [];
  prompt.forEach((block, index) => {
    if (isMessageEnd(block, prompt[index + 1])) ends.push(index);
  });
  return ends;
}

function isMessageEnd(block: PromptBlock, next: PromptBlock | undefined): boolean {
  if (block.at.part === "system") return next?.at.part !== "system";
  if (block.role !== "user") return false;
  if (isResult(block)) return next === undefined || !isResult(next);
  return next === undefined || next.at.position !== block.at.position;
}

function isResult({ role, value }: PromptBlock): boolean {
  return role === "user" && isToolResult(value as Block);
}
