import { isRecord } from "../../errors/is-record.ts";
import type { JsonFields } from "./json-fields.ts";

/**
 * Adds up counts of the same things, field by field: `{ total: 3, reasoning: 1 }` and `{ total: 2 }` are `{ total: 5, reasoning: 1 }`.
 * Of other values (a tier, a region) the last one counts, and lists are concatenated, so that no field is lost.
 */
export function sumCounts(counts: readonly unknown[]): unknown {
  const given = counts.filter((count) => count !== null && count !== undefined);
  const numbers = given.filter((count) => typeof count === "number");
  if (numbers.length > 0) return numbers.reduce((sum, count) => sum + count, 0);
  const lists = given.filter((count) => Array.isArray(count));
  if (lists.length > 0) return lists.flat();
  const records = given.filter(isRecord);
  if (records.length === 0) return given.at(-1) ?? counts.at(-1);
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  return Object.fromEntries([...names].map((name) => [name, sumCounts(records.map((record) => record[name]))]));
}

/** Adds up the usage of several answers. Empty if none of them reported any. */
export function sumUsage(raws: readonly JsonFields[]): { readonly usage?: unknown } {
  const usages = raws.map(({ usage }) => usage).filter(isRecord);
  return usages.length === 0 ? {} : { usage: sumCounts(usages) };
}
