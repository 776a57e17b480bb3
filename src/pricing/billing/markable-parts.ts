import { isRecord } from "../../errors/is-record.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns what may carry a cache marker in a tool or block: the parts of a tool result, and the value itself, with relative paths. A marker
 * on a part takes effect at the end of the result, because the hash grows by whole blocks (F).
 */
export function markableParts(value: unknown): readonly (readonly [part: Fields, inside: string])[] {
  if (!isRecord(value)) return [];
  const { type, content } = value;
  if (type !== "tool_result" || !Array.isArray(content)) return [[value, ""]];
  const parts = content.flatMap((part: unknown, number): [Fields, string][] => (isRecord(part) ? [[part, `.content.${number}`]] : []));
  return [...parts, [value, ""]];
}
