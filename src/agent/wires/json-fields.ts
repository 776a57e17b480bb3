import { isRecord } from "../../errors/is-record.ts";

/** A JSON object from a client or a provider, with unknown fields. */
export type JsonFields = Readonly<Record<string, unknown>>;

const NO_FIELDS: JsonFields = {};

/** Returns the fields of an object; anything else has none. */
export function fieldsOf(value: unknown): JsonFields {
  return isRecord(value) ? value : NO_FIELDS;
}

/** Returns the objects of a list; anything else has none. */
export function objectsIn(value: unknown): readonly JsonFields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Non-numbers count as 0. */
export function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** Returns those of the given fields that the object has. */
export function pick(value: JsonFields, fields: readonly string[]): JsonFields {
  return Object.fromEntries(fields.filter((field) => value[field] !== undefined).map((field) => [field, value[field]]));
}

export function without(value: JsonFields, fields: readonly string[]): JsonFields {
  return Object.fromEntries(Object.entries(value).filter(([field]) => !fields.includes(field)));
}
