import { hash } from "node:crypto";
import type { InputCounts } from "../protocol.ts";
import { isRecord, recordsOf, type Json } from "./json-values.ts";
import type { CachedPrompt } from "./prompt-pieces.ts";

/** Section F: the cache from GPT-5.6 on. */
const MINIMUM_TOKENS = 1024;
const MOST_LOOKUPS = 80;
const MOST_WRITES = 4;
const LIFE_MS = { "30m": 30 * 60_000, "12h": 12 * 3_600_000 } as const;

type Ttl = keyof typeof LIFE_MS;

/** A place where an entry may end: the prompt from its start to here. */
interface Breakpoint {
  readonly hash: string;
  readonly tokens: number;
  /** The client's marker. A place may be both: marked, and the end of a message. */
  readonly marker: Json | undefined;
  readonly isEnd: boolean;
}

interface Entry {
  readonly ttl: Ttl;
  readonly usedMs: number;
}

export type BreakpointCache = (prompt: CachedPrompt, nowMs: number) => InputCounts;

/** Entries are written, and found, only at breakpoints: the longest prefix of the prompt that is one of an earlier request is read. */
export function createBreakpointCache(tokensOf: (piece: unknown) => number): BreakpointCache {
  const entries = new Map<string, Entry>();

  const liveEntry = (key: string, nowMs: number): Entry | undefined => {
    const entry = entries.get(key);
    return entry !== undefined && nowMs - entry.usedMs <= LIFE_MS[entry.ttl] ? entry : undefined;
  };

  return (prompt, nowMs) => {
    const options = isRecord(prompt.body["prompt_cache_options"]) ? prompt.body["prompt_cache_options"] : {};
    const isImplicit = options["mode"] !== "explicit";
    const { places, total } = placesIn(prompt, tokensOf);
    const candidates = places.filter(({ marker, isEnd }) => marker !== undefined || (isEnd && isImplicit));
    const hit = candidates.slice(-MOST_LOOKUPS).findLast((place) => liveEntry(place.hash, nowMs) !== undefined);
    const implicit = isImplicit ? places.filter(({ isEnd }) => isEnd).slice(-1) : [];
    const marked = places.filter(({ marker }) => marker !== undefined).slice(-(MOST_WRITES - implicit.length));
    const written = [
      ...marked.map(({ hash: key, tokens, marker }) => ({ key, tokens, ttl: ttlOf(marker?.["ttl"] ?? options["ttl"]) })),
      ...implicit.map(({ hash: key, tokens }) => ({ key, tokens, ttl: ttlOf(options["ttl"]) })),
    ].filter(({ tokens }) => tokens >= MINIMUM_TOKENS);
    // Who reads an entry makes it last longer, for as long as it was written for.
    const refresh = (key: string, ttl: Ttl): unknown => entries.set(key, { ttl: liveEntry(key, nowMs)?.ttl ?? ttl, usedMs: nowMs });
    if (hit !== undefined) refresh(hit.hash, "30m");
    for (const { key, ttl } of written) refresh(key, ttl);
    // Every token is billed once: as read, as written for longer, as written, or as neither.
    const endOf = (ttl: Ttl, start: number): number => Math.max(start, ...written.filter((write) => write.ttl === ttl).map(({ tokens }) => tokens));
    const cacheRead = hit?.tokens ?? 0;
    const longEnd = endOf("12h", cacheRead);
    const end = endOf("30m", longEnd);
    return { uncached: total - end, cacheRead, cacheWrite5m: 0, cacheWrite1h: 0, cacheWrite30m: end - longEnd, cacheWrite12h: longEnd - cacheRead };
  };
}

function ttlOf(ttl: unknown): Ttl {
  return ttl === "12h" ? "12h" : "30m";
}

interface Places {
  readonly places: readonly Breakpoint[];
  readonly total: number;
}

function placesIn({ body, pieces }: CachedPrompt, tokensOf: (piece: unknown) => number): Places {
  const places: Breakpoint[] = [];
  let chain = hashOf("", settingsOf(body));
  let total = 0;
  for (const { value, endsMessage } of pieces) {
    const whole = withoutMarkers(value);
    const after = hashOf(chain, whole);
    const end = total + tokensOf(whole);
    for (const { start, marker } of markedStarts(value)) {
      const here = hashOf(chain, start);
      places.push({ hash: here, tokens: total + tokensOf(start), marker, isEnd: endsMessage && here === after });
    }
    if (endsMessage && places.at(-1)?.hash !== after) places.push({ hash: after, tokens: end, marker: undefined, isEnd: true });
    chain = after;
    total = end;
  }
  return { places, total };
}

/** What changes the whole prompt: the model, and settings that become instructions. */
function settingsOf(body: Json): unknown {
  const { text, reasoning } = body;
  const { format = null, verbosity = null } = isRecord(text) ? text : {};
  const { effort = null } = isRecord(reasoning) ? reasoning : {};
  const named = ["model", "parallel_tool_calls", "response_format", "verbosity", "reasoning_effort"].map((name) => body[name] ?? null);
  return [...named, format, verbosity, effort];
}

const LISTS = ["content", "output"] as const;

/** Returns a message, cut after each of its parts that is marked. */
function markedStarts(value: unknown): readonly { readonly start: unknown; readonly marker: Json }[] {
  if (!isRecord(value)) return [];
  return LISTS.flatMap((name) => {
    const parts = recordsOf(value[name]);
    return parts.flatMap(({ prompt_cache_breakpoint: marker }, at) =>
      isRecord(marker) ? [{ start: withoutMarkers({ ...value, [name]: parts.slice(0, at + 1) }), marker }] : [],
    );
  });
}

/** Markers are no part of what the model reads. */
function withoutMarkers(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const lists = LISTS.filter((name) => Array.isArray(value[name]));
  return { ...value, ...Object.fromEntries(lists.map((name) => [name, (value[name] as readonly unknown[]).map(withoutMarker)])) };
}

function withoutMarker(part: unknown): unknown {
  if (!isRecord(part)) return part;
  const { prompt_cache_breakpoint: _, ...rest } = part;
  return rest;
}

function hashOf(chain: string, value: unknown): string {
  return hash("sha256", chain + JSON.stringify(value), "base64");
}
