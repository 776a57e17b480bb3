import type { CacheRules, Ttl } from "../models/model.ts";
import type { CacheSimulation } from "./cache-simulation.ts";
import { createMarkerCache } from "./marker-cache.ts";
import { createMessageEndCache } from "./message-end-cache.ts";
import { createPrefixCache } from "./prefix-cache.ts";

/** `ttl`: for markers that name none, if the cache supports it. */
export function cacheOf(rules: CacheRules, ttl?: Ttl): CacheSimulation {
  switch (rules.kind) {
    case "markers":
      return createMarkerCache(withTtl(rules, ttl));
    case "message-ends":
      return createMessageEndCache(withTtl(rules, ttl));
    case "prefix":
      return createPrefixCache(rules);
  }
}

function withTtl<R extends Exclude<CacheRules, { kind: "prefix" }>>(rules: R, ttl: Ttl | undefined): R {
  return ttl !== undefined && ttl in rules.ttlMs ? { ...rules, defaultTtl: ttl } : rules;
}
