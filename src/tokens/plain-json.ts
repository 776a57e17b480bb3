import { mayBeMedia } from "./media-payload.ts";

/** Shorter base64 may be a name or an id. */
const SHORTEST_CIPHER = 256;
const CIPHER = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** Recognizes text that providers encrypt and later decrypt: reasoning, search results. */
export function isCipher(text: string): boolean {
  return text.length >= SHORTEST_CIPHER && CIPHER.test(text);
}

/** Returns the JSON of a value that the model reads as text. Undefined if it may hold a file or encrypted text, or cannot be JSON. */
export function plainJson(value: unknown): string | undefined {
  return isPlain(value) ? JSON.stringify(value) : undefined;
}

function isPlain(value: unknown): boolean {
  if (typeof value === "string") return !value.startsWith("data:") && !isCipher(value);
  if (typeof value !== "object" || value === null) return typeof value !== "bigint";
  if (Array.isArray(value)) return value.every(isPlain);
  return !ArrayBuffer.isView(value) && !("toJSON" in value) && !mayBeMedia(value) && Object.values(value).every(isPlain);
}
