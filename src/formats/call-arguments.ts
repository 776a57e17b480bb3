import { isRecord } from "../errors/is-record.ts";

/**
 * Parses the arguments of a call from JSON text. Text that is not a JSON object, because the model made a mistake,
 * is kept whole under one key.
 */
export function parseArguments(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // A call with malformed JSON is still a call.
  }
  return text.trim() === "" ? {} : { arguments: text };
}

/** Defines `field` so that it is computed on first read: most decoded values are never read. */
export function lazily<T extends object, K extends string, V>(value: T, field: K, work: () => V): T & Readonly<Record<K, V>> {
  const { under, descriptor } = LAZY_FIELDS.get(field) ?? lazyField(field);
  (value as Record<symbol, Pending>)[under] = { work, made: undefined };
  return Object.defineProperty(value, field, descriptor) as T & Readonly<Record<K, V>>;
}

interface Pending {
  readonly work: () => unknown;
  made: { readonly value: unknown } | undefined;
}

/** All values share one getter per field: separate getters would give each value its own hidden class, and be twice as slow to create. */
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
