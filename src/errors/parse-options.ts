import { invalid } from "./palimpsest-error.ts";

/** What an option accepts, in words and as a test. */
export interface Field<T> {
  readonly expected: string;
  readonly accepts: (value: unknown) => value is T;
  /** The accepted names, if it is one of a few. */
  readonly names?: readonly string[];
}

/** A field for every option of T. */
export type FieldsOf<T> = { readonly [K in keyof T]-?: Field<Exclude<T[K], undefined>> };

type Fields = Readonly<Record<string, Field<unknown>>>;
type Parsed<F extends Fields> = { readonly [K in keyof F]?: (F[K] extends Field<infer T> ? T : never) | undefined };

/**
 * Parses options, once, at the edge: unknown keys and values out of range are refused with their path. Undefined counts as missing, so
 * that defaults apply.
 */
export function parseOptions<F extends Fields>(value: object, path: string, fields: F): Parsed<F> {
  if (typeof value !== "object" || (value as unknown) === null || Array.isArray(value)) throw invalid("INVALID_OPTION", path, "an object", value);
  const given = value as Readonly<Record<string, unknown>>;
  for (const key in given) {
    const field = fields[key];
    // Inherited members of `fields`, such as `constructor`, are not options.
    if (field?.accepts === undefined) throw invalid("INVALID_OPTION", `${path}.${key}`, `one of ${Object.keys(fields).join(", ")}`, key, Object.keys(fields));
    const option = fieldOf(given, key, path);
    if (option !== undefined) parseField(option, `${path}.${key}`, field);
  }
  return given as Parsed<F>;
}

function fieldOf(given: Readonly<Record<string, unknown>>, key: string, path: string): unknown {
  try {
    return given[key];
  } catch {
    throw invalid("INVALID_OPTION", `${path}.${key}`, "a field that can be read", "a getter that throws");
  }
}

export function parseField<T>(value: unknown, path: string, field: Field<T>): T {
  if (!field.accepts(value)) throw invalid("INVALID_OPTION", path, field.expected, value, field.names);
  return value;
}

export const boolean: Field<boolean> = { expected: "true or false", accepts: (value) => typeof value === "boolean" };

/** A limit: a whole number, 0 included. */
export const count: Field<number> = {
  expected: "a whole number, 0 or more",
  accepts: (value): value is number => typeof value === "number" && Number.isSafeInteger(value) && value >= 0,
};

export const positiveInteger: Field<number> = {
  expected: "a whole number, 1 or more",
  accepts: (value): value is number => count.accepts(value) && value > 0,
};

export const string: Field<string> = { expected: "a string", accepts: (value) => typeof value === "string" };

/** Checks only that it is an object. The caller checks its fields. */
export function object<T extends object>(expected = "an object"): Field<T> {
  return { expected, accepts: (value): value is T => typeof value === "object" && value !== null && !Array.isArray(value) };
}

export function arrayOf<T>(item: Field<T>): Field<readonly T[]> {
  return {
    expected: `an array, each ${item.expected}`,
    accepts: (value): value is readonly T[] => Array.isArray(value) && Array.from(value as readonly unknown[]).every((entry) => item.accepts(entry)),
  };
}

export function oneOrMore<T>(item: Field<T>): Field<T | readonly T[]> {
  const items = arrayOf(item);
  return { expected: `${item.expected}, or several`, accepts: (value): value is T | readonly T[] => item.accepts(value) || items.accepts(value) };
}

export function callback<T>(expected: string): Field<T> {
  return { expected, accepts: (value): value is T => typeof value === "function" };
}

export function oneOf<const T extends string>(...names: readonly T[]): Field<T> {
  return { expected: names.map((name) => `"${name}"`).join(", "), accepts: (value): value is T => names.some((name) => name === value), names };
}
