import type { InputCounts } from "../protocol.ts";
import type { ApiRequest } from "./api-request.ts";
import { automaticMarker, markersOn, piecesOf, withoutMarkers, type CacheMarker, type PromptPiece, type Ttl } from "./cache-markers.ts";
import { createPromptChain } from "./prompt-chain.ts";

const LOOKBACK = 20;
const LIFE_MS: Readonly<Record<Ttl, number>> = { "5m": 300_000, "1h": 3_600_000 };

/** The prompt from its start to the end of one piece. */
interface Prefix {
  readonly hash: string;
  readonly tokens: number;
}

interface Entry {
  readonly ttl: Ttl;
  readonly usedMs: number;
}

/** F: the prompt cache of one workspace. */
export interface PromptCache {
  use(request: ApiRequest, nowMs: number): InputCounts;
}

export function countTokens(request: ApiRequest, tokensOf: (piece: unknown) => number): number {
  return piecesOf(request).reduce((sum, { value }) => sum + tokensOf(withoutMarkers(value)), 0);
}

export function createPromptCache(minimumTokens: number, tokensOf: (piece: unknown) => number): PromptCache {
  const entries = new Map<string, Entry>();

  const liveEntry = (hash: string, nowMs: number): Entry | undefined => {
    const entry = entries.get(hash);
    return entry !== undefined && nowMs - entry.usedMs <= LIFE_MS[entry.ttl] ? entry : undefined;
  };

  /** Returns the longest prefix that an earlier request wrote: a breakpoint finds entries up to 20 positions back, counting its own. */
  const longestHit = (prefixes: readonly Prefix[], markers: readonly CacheMarker[], nowMs: number): Prefix | undefined => {
    const hits = markers.map(({ index }) => prefixes.slice(Math.max(0, index - LOOKBACK + 1), index + 1).findLast(({ hash }) => liveEntry(hash, nowMs)));
    return hits.reduce((best, hit) => (hit !== undefined && hit.tokens >= (best?.tokens ?? 0) ? hit : best), undefined);
  };

  return {
    use(request, nowMs) {
      const pieces = piecesOf(request);
      const prefixes = prefixesOf(request, pieces, tokensOf);
      const markers = breakpointsOf(request, pieces);
      const hit = longestHit(prefixes, markers, nowMs);
      const written = markers.flatMap(({ index, ttl }) => {
        const prefix = prefixes[index];
        return prefix !== undefined && prefix.tokens >= minimumTokens ? [{ prefix, ttl }] : [];
      });
      // A read refreshes an entry without changing its time to live.
      const refresh = ({ hash }: Prefix, ttl: Ttl): unknown => entries.set(hash, { ttl: liveEntry(hash, nowMs)?.ttl ?? ttl, usedMs: nowMs });
      if (hit !== undefined) refresh(hit, "5m");
      for (const { prefix, ttl } of written) refresh(prefix, ttl);
      const end = (ttl: Ttl, start: number): number => written.reduce((last, write) => (write.ttl === ttl ? Math.max(last, write.prefix.tokens) : last), start);
      const readEnd = hit?.tokens ?? 0;
      const longEnd = end("1h", readEnd);
      const shortEnd = end("5m", longEnd);
      const all = prefixes.at(-1)?.tokens ?? 0;
      const [cacheWrite5m, cacheWrite1h] = [shortEnd - longEnd, longEnd - readEnd];
      return { uncached: all - shortEnd, cacheRead: readEnd, cacheWrite5m, cacheWrite1h, cacheWrite30m: 0, cacheWrite12h: 0 };
    },
  };
}

function breakpointsOf(request: ApiRequest, pieces: readonly PromptPiece[]): readonly CacheMarker[] {
  const automatic = automaticMarker(request, pieces);
  return automatic === undefined ? markersOn(pieces) : [...markersOn(pieces), automatic];
}

/** Fields that are part of the prompt from one level on: changing one invalidates everything after it (F). */
const SETTINGS: Readonly<Record<PromptPiece["part"], readonly string[]>> = {
  tools: ["model"],
  system: ["speed"],
  messages: ["tool_choice", "thinking", "output_config"],
};
const PARTS = ["tools", "system", "messages"] as const;

function prefixesOf({ body }: ApiRequest, pieces: readonly PromptPiece[], tokensOf: (piece: unknown) => number): readonly Prefix[] {
  const chain = createPromptChain("prompt");
  let tokens = 0;
  return PARTS.flatMap((part) => {
    chain.add(SETTINGS[part].map((name) => body[name] ?? null));
    return pieces
      .filter((piece) => piece.part === part)
      .map(({ role, value }) => {
        const bare = withoutMarkers(value);
        tokens += tokensOf(bare);
        return { hash: chain.add([role, bare]), tokens };
      });
  });
}
