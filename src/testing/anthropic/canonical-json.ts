import { isRecord } from "./api-request.ts";

/**
 * Equal for what the API reads as equal: the order of fields does not count, nor does a field that is null. What a call passes to
 * its tool is kept as it came, because there the order of keys matters (F).
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
