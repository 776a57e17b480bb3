import { isRecord } from "../../errors/is-record.ts";

/** A path of fields in a value of which nothing is known yet. */
export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, field) => (isRecord(found) ? found[field] : undefined), value);
}

/** The objects in what should be a list of them. */
export function itemsOf<T extends object>(list: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(list) ? (list as readonly T[]).filter(isRecord) : [];
}

/** The first of these that is a number, or 0. */
export function countOf(...found: readonly unknown[]): number {
  return found.find((value) => typeof value === "number") ?? 0;
}

/** The text at a path of fields. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = fieldAt(value, ...path);
  return typeof found === "string" ? found : undefined;
}
