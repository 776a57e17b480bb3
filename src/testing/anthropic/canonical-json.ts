import { isRecord } from "./api-request.ts";

/**
 * Returns equal JSON for values that the API treats as equal: the order of fields and null fields do not count. The input of a call
 * is kept as it came, because there the order of keys matters (F).
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const names = Object.keys(value)
    .filter((name) => value[name] !== null)
    .sort();
  return Object.fromEntries(names.map((name) => [name, name === "input" ? value[name] : sorted(value[name])]));
}
