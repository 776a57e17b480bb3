import { isRecord } from "../../errors/is-record.ts";

/** A JSON object of which nothing is known yet: it comes from a client or from a provider. */
export type JsonFields = Readonly<Record<string, unknown>>;

const NO_FIELDS: JsonFields = {};

/** The fields of an object; what is none has no fields. */
export function fieldsOf(value: unknown): JsonFields {
  return isRecord(value) ? value : NO_FIELDS;
}

/** The objects of a list; what is none has no objects. */
export function objectsIn(value: unknown): readonly JsonFields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** What is no count, or left out, is none. */
export function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** The given fields of an object, those that it has. */
export function pick(value: JsonFields, fields: readonly string[]): JsonFields {
  return Object.fromEntries(fields.filter((field) => value[field] !== undefined).map((field) => [field, value[field]]));
}

export function without(value: JsonFields, fields: readonly string[]): JsonFields {
  return Object.fromEntries(Object.entries(value).filter(([field]) => !fields.includes(field)));
}
