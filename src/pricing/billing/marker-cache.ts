import { invalid } from "../../errors/palimpsest-error.ts";
import { isText, isThinking, type Block } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import type { Request } from "../../messages/request.ts";
import type { MarkerCache, Ttl } from "../models/model.ts";
import type { CacheSimulation } from "./cache-simulation.ts";
import { createEntryCache, type Breakpoint } from "./entry-cache.ts";
import { markableParts } from "./markable-parts.ts";
import { pathOf } from "./prompt-place.ts";
import type { PromptBlock } from "./prompt.ts";

/** Anthropic's cache: `cache_control` on tools, system blocks, message blocks, and on the request itself. */
export function createMarkerCache(rules: MarkerCache): CacheSimulation {
  const entries = createEntryCache(rules);
  return {
    send(request, prompt, nowMs) {
      const breakpoints = breakpointsOf(request, prompt, rules);
      return entries.use(prompt, { lookups: lookback(breakpoints, rules.lookbackBlocks), writes: breakpoints }, nowMs);
    },
  };
}

/** F: yields the blocks to search backwards from every breakpoint, its own included. The last breakpoint comes first, because the longest hit counts. */
function* lookback(breakpoints: readonly Breakpoint[], blocks: number): Generator<number> {
  for (const { index } of breakpoints.toReversed()) {
    for (let back = 0; back < blocks && back <= index; back++) yield index - back;
  }
}

interface Marker extends Breakpoint {
  readonly path: string;
}

/** Returns all markers of a request, in the order of the prompt. Markers inside a tool result count towards the four, as in `checkMessages`. */
function breakpointsOf(request: Request, prompt: readonly PromptBlock[], rules: MarkerCache): Breakpoint[] {
  const explicit = prompt.flatMap((block, index) => explicitMarkers(block, index, rules));
  const markers = [...explicit, ...automaticMarker(request, prompt, explicit, rules)];
  if (markers.length > rules.maxBreakpoints)
    throw invalid("INVALID_INPUT", "cache_control", `at most ${rules.maxBreakpoints} blocks with cache_control (A6)`, markers.length);
  checkOrder(markers, rules);
  return markers;
}

function explicitMarkers({ value, at }: PromptBlock, index: number, rules: MarkerCache): Marker[] {
  const markers: Marker[] = [];
  for (const [part, inside] of markableParts(value)) {
    const marker = part["cache_control"];
    if (marker === undefined || marker === null) continue;
    const path = `${pathOf(at)}${inside}.cache_control`;
    if (!canBeMarked(part)) throw invalid("INVALID_INPUT", path, "no marker on thinking or on empty text (A6)", marker);
    markers.push({ index, path, ttl: ttlOf(marker, path, rules) });
  }
  return markers;
}

function canBeMarked(value: unknown): boolean {
  const block = value as Block;
  return !isThinking(block) && !(isText(block) && block.text === "");
}

/** F: `cache_control` of the request is a marker on the last block that can have one. None if that block already has the same marker. */
function automaticMarker(request: Request, prompt: readonly PromptBlock[], markers: readonly Marker[], rules: MarkerCache): Marker[] {
  const { cache_control: marker } = request;
  if (marker === undefined || marker === null) return [];
  const path = "cache_control";
  const ttl = ttlOf(marker, path, rules);
  const index = prompt.findLastIndex(({ value }) => canBeMarked(value));
  const explicit = markers.filter((other) => other.index === index);
  if (explicit.some((other) => other.ttl === ttl)) return [];
  if (explicit.length > 0) throw invalid("INVALID_INPUT", path, "the same ttl as on the last block (A6)", ttl);
  return [{ index, ttl, path }];
}

function ttlOf(marker: unknown, path: string, { ttlMs, defaultTtl }: MarkerCache): Ttl {
  if (!isRecord(marker) || marker["type"] !== "ephemeral") throw invalid("INVALID_INPUT", path, '{ type: "ephemeral" }', marker);
  const ttl = marker["ttl"] ?? defaultTtl;
  if (typeof ttl !== "string" || !Object.hasOwn(ttlMs, ttl)) throw invalid("INVALID_INPUT", `${path}.ttl`, `one of ${Object.keys(ttlMs).join(", ")}`, ttl);
  return ttl as Ttl;
}

/** A6: longer times to live come first. */
function checkOrder(markers: readonly Marker[], { ttlMs }: MarkerCache): void {
  let shortest = Infinity;
  for (const { ttl, path } of markers) {
    const lifeMs = ttlMs[ttl] ?? 0;
    if (lifeMs > shortest) throw invalid("INVALID_INPUT", `${path}.ttl`, "no longer ttl after a shorter one (A6)", ttl);
    shortest = lifeMs;
  }
}
