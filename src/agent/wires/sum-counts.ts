import { isRecord } from "../../errors/is-record.ts";
import type { JsonFields } from "./json-fields.ts";

/** Adds up counts of the same things, field by field: `{ total: 3, reasoning: 1 }` and `{ total: 2 }` are `{ total: 5, reasoning: 1 }`. */
export function sumCounts(counts: readonly unknown[]): unknown {
  const numbers = counts.filter((count) => typeof count === "number");
  if (numbers.length > 0) return numbers.reduce((sum, count) => sum + count, 0);
  const records = counts.filter(isRecord);
  if (records.length === 0) return counts.at(-1);
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  return Object.fromEntries([...names].map((name) => [name, sumCounts(records.map((record) => record[name]))]));
}

/** The given fields of several objects, added up; those that none of them has are left out. */
export function sumFields(records: readonly JsonFields[], fields: readonly string[]): JsonFields {
  const given = fields.filter((field) => records.some((record) => (record[field] ?? undefined) !== undefined));
  return Object.fromEntries(given.map((field) => [field, sumCounts(records.map((record) => record[field]))]));
}
