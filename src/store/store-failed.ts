import { PalimpsestError } from "../errors/palimpsest-error.ts";

/** `store` is the store's name, which never holds a password. */
export function storeFailed(store: string, operation: string, reason: string, cause?: unknown): PalimpsestError {
  return new PalimpsestError("STORE_FAILED", `${store}: ${operation} failed: ${reason}`, { store, operation }, cause);
}

export function storeClosed(store: string, operation: string): PalimpsestError {
  return storeFailed(store, operation, "the store is closed");
}

/** There is none, or none of this version, and none was to be made. */
export function storeMissing(store: string): PalimpsestError {
  const message = `${store}: open failed: there are no histories in it. They are made when it is opened without { create: false }.`;
  return new PalimpsestError("STORE_FAILED", message, { store, operation: "open", missing: true });
}

export function schemaNewer(store: string, found: number, known: number): PalimpsestError {
  const message = `${store}: it has version ${found} of the schema, and this package knows versions up to ${known}. Use a newer palimpsest.`;
  return new PalimpsestError("SCHEMA_NEWER", message, { store, found, known });
}
