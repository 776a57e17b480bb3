import type { MarkerCache, MessageEndCache, Ttl } from "../models/model.ts";
import type { InputShares } from "./bill.ts";
import { tokensIn, type PromptBlock } from "./prompt.ts";

/** A block of the prompt after which a cache entry is requested. */
export interface Breakpoint {
  readonly index: number;
  readonly ttl: Ttl;
}

/** How a request uses the cache. */
export interface CacheUse {
  /** The blocks after which to look for entries of earlier requests, last one first. */
  readonly lookups: Iterable<number>;
  readonly writes: readonly Breakpoint[];
}

export interface EntryCache {
  use(prompt: readonly PromptBlock[], use: CacheUse, nowMs: number): InputShares;
}

interface Entry {
  readonly ttl: Ttl;
  /** F: the time to live counts from the start of the request that last wrote or read it. */
  readonly usedMs: number;
}

interface Write {
  readonly block: PromptBlock;
  readonly ttl: Ttl;
}

/** Creates a cache with entries only where requests ask for them: Anthropic's, and OpenAI's from GPT-5.6 on. */
export function createEntryCache({ minimumTokens, ttlMs }: MarkerCache | MessageEndCache): EntryCache {
  const entries = new Map<number, Entry>();
  const longestFirst = (Object.keys(ttlMs) as Ttl[]).sort((a, b) => lifeMs(b) - lifeMs(a));

  function lifeMs(ttl: Ttl): number {
    return ttlMs[ttl] ?? 0;
  }

  function entryAt({ prefix }: PromptBlock, nowMs: number): Entry | undefined {
    const entry = entries.get(prefix);
    return entry !== undefined && nowMs - entry.usedMs <= lifeMs(entry.ttl) ? entry : undefined;
  }

  function longestHit(prompt: readonly PromptBlock[], lookups: Iterable<number>, nowMs: number): Write | undefined {
    for (const index of lookups) {
      const block = prompt[index];
      const entry = block === undefined ? undefined : entryAt(block, nowMs);
      if (block !== undefined && entry !== undefined) return { block, ttl: entry.ttl };
    }
    return undefined;
  }

  /** F: below the minimum nothing is written, and no error says so. */
  function writable(prompt: readonly PromptBlock[], { index, ttl }: Breakpoint): Write[] {
    const block = prompt[index];
    return block !== undefined && block.endTokens >= minimumTokens ? [{ block, ttl }] : [];
  }

  /**
   * F, mixed times to live: A is the end of the read part, B the last 1 hour breakpoint after it, C the last breakpoint of all.
   * B − A is a 1 hour write, C − B a 5 minute write. OpenAI's two times to live are assumed to be billed the same way.
   */
  function billedWrites(writes: readonly Write[], readTokens: number): InputShares["cacheWrite"] {
    const cacheWrite: Partial<Record<Ttl, number>> = {};
    let start = readTokens;
    for (const ttl of longestFirst) {
      const end = writes.reduce((last, write) => (write.ttl === ttl ? Math.max(last, write.block.endTokens) : last), start);
      cacheWrite[ttl] = end - start;
      start = end;
    }
    return cacheWrite;
  }

  return {
    use(prompt, { lookups, writes }, nowMs) {
      // An entry can be read only after its own request was answered, so look first, then write.
      const hit = longestHit(prompt, lookups, nowMs);
      const readTokens = hit?.block.endTokens ?? 0;
      const written = writes.flatMap((breakpoint) => writable(prompt, breakpoint));
      const cacheWrite = billedWrites(written, readTokens);
      // Reading an entry refreshes it for free, with the time to live that it was written with.
      for (const { block, ttl } of hit === undefined ? written : [hit, ...written]) {
        entries.set(block.prefix, { ttl: entryAt(block, nowMs)?.ttl ?? ttl, usedMs: nowMs });
      }
      const writtenTokens = Object.values(cacheWrite).reduce((sum, tokens) => sum + tokens, 0);
      return { uncached: tokensIn(prompt) - readTokens - writtenTokens, cacheRead: readTokens, cacheWrite };
    },
  };
}
