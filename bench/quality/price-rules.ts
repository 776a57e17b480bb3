import { MODELS } from "../../src/pricing/models/model-table.ts";
import type { PriceRule } from "./measure/cost.ts";
import { ACCOUNTINGS } from "./task-values.ts";

export interface NamedRule extends PriceRule {
  readonly name: string;
}

/** The default first, then the default without gaps, then every other one that some model has. */
export function allPriceRules(): readonly NamedRule[] {
  const rules = new Map<string, NamedRule>();
  const add = (rule: PriceRule): void => {
    const name = nameOf(rule);
    rules.set(name, { ...rule, name });
  };
  add(ACCOUNTINGS.withGaps);
  add(ACCOUNTINGS.noGaps);
  for (const { prices, cache } of MODELS) {
    const read = prices.cacheRead / prices.input;
    if (cache.kind === "prefix") add({ write: 1, read, ttlMs: cache.idleMs });
    else for (const [ttl, price] of Object.entries(prices.cacheWrite)) add({ write: price / prices.input, read, ttlMs: cache.ttlMs[ttl as keyof typeof cache.ttlMs] ?? 0 }); // prettier-ignore
  }
  return [...rules.values()];
}

function nameOf({ write, read, ttlMs }: PriceRule): string {
  const ttl = ttlMs === Infinity ? "no gaps" : ttlMs < 3_600_000 ? `${ttlMs / 60_000}m` : `${ttlMs / 3_600_000}h`;
  return `w ${Number(write.toFixed(3))}, r ${Number(read.toFixed(4))}, ${ttl}`;
}
