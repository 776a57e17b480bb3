import { PalimpsestError } from "../errors/palimpsest-error.ts";

/** `store` is the store's name, which never holds a password. */
export function storeFailed(store: string, operation: string, reason: string, cause?: unknown): PalimpsestError {
  return new PalimpsestError("STORE_FAILED", `${store}: ${operation} failed: ${reason}`, { store, operation }, cause);
}

export function storeClosed(store: string, operation: string): PalimpsestError {
  return storeFailed(store, operation, "the store is closed");
}

/** There is no store of this version, and `create` is false. */
export function storeMissing(store: string): PalimpsestError {
  const message = `${store}: open failed: it is not a store of histories. Open it without { create: false } to create one.`;
  return new PalimpsestError("STORE_FAILED", message, { store, operation: "open", missing: true });
}

export function schemaNewer(store: string, found: number, known: number): PalimpsestError {
  const message = `${store}: it has version ${found} of the schema, but this package knows versions up to ${known} only. Use a newer palimpsest.`;
  return new PalimpsestError("SCHEMA_NEWER", message, { store, found, known });
}
