import { isRecord } from "../errors/is-record.ts";

/**
 * The arguments of a call that the format has as JSON text. What is not a JSON object, because the model wrote it wrong,
 * is kept whole under one key.
 */
export function parseArguments(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // The model's JSON is the model's: a call that cannot be read is still a call.
  }
  return text.trim() === "" ? {} : { arguments: text };
}

/** Defines `field` so that it is worked out when it is first read: most values that are decoded nobody looks at. */
export function lazily<T extends object, K extends string, V>(value: T, field: K, work: () => V): T & Readonly<Record<K, V>> {
  const { under, descriptor } = LAZY_FIELDS.get(field) ?? lazyField(field);
  (value as Record<symbol, Pending>)[under] = { work, made: undefined };
  return Object.defineProperty(value, field, descriptor) as T & Readonly<Record<K, V>>;
}

interface Pending {
  readonly work: () => unknown;
  made: { readonly value: unknown } | undefined;
}

/** One getter for all values: with getters of their own, they would be of as many shapes, and twice as slow to make. */
const LAZY_FIELDS = new Map<string, { readonly under: symbol; readonly descriptor: PropertyDescriptor }>();

function lazyField(field: string): { readonly under: symbol; readonly descriptor: PropertyDescriptor } {
  const under = Symbol(`palimpsest.${field}`);
  const get = function (this: Readonly<Record<symbol, Pending>>): unknown {
    const pending = this[under];
    return pending === undefined ? undefined : (pending.made ??= { value: pending.work() }).value;
  };
  const made = { under, descriptor: { enumerable: true, configurable: true, get } };
  LAZY_FIELDS.set(field, made);
  return made;
}
