import { isRecord } from "../../errors/is-record.ts";

/** Reads a path of fields in an unchecked value. */
export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, field) => (isRecord(found) ? found[field] : undefined), value);
}

/** Returns the objects in a value that should be a list of objects. */
export function itemsOf<T extends object>(list: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(list) ? (list as readonly T[]).filter(isRecord) : [];
}

/** Returns the first number among these, or 0. */
export function countOf(...found: readonly unknown[]): number {
  return found.find((value) => typeof value === "number") ?? 0;
}

/** Returns the string at a path of fields. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = fieldAt(value, ...path);
  return typeof found === "string" ? found : undefined;
}
