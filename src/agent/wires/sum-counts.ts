import { isRecord } from "../../errors/is-record.ts";
import { pick, without, type JsonFields } from "./json-fields.ts";

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

/** Returns the usage of several answers as that of one. `read`: the fields that say what the model read. Empty if no answer reported any. */
export type MergeUsage = (raws: readonly JsonFields[], read: readonly string[]) => { readonly usage?: unknown };

/** Adds up everything: what the answers cost. */
export function sumUsage(raws: readonly JsonFields[]): { readonly usage?: unknown } {
  const usages = raws.map(({ usage }) => usage).filter(isRecord);
  return usages.length === 0 ? {} : { usage: sumCounts(usages) };
}

/**
 * Adds up what was written, but says what the model read last: agents take that for the size of their context. The sum over a hidden round is twice as
 * large, and makes them compact when half of the window is free.
 */
export const usageOfLast: MergeUsage = (raws, read) => {
  const { usage } = sumUsage(raws);
  const last = raws.map((raw) => raw["usage"]).findLast(isRecord);
  if (!isRecord(usage) || last === undefined) return {};
  // A client takes a missing count from the first answer.
  const none = Object.fromEntries(read.filter((name) => typeof usage[name] === "number").map((name) => [name, 0]));
  return { usage: { ...without(usage, read), ...none, ...pick(last, read) } };
};
