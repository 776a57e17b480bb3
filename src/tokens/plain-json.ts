import { mayBeMedia } from "./media-payload.ts";

/** Base64 that is shorter may as well be a name or an id. */
const SHORTEST_CIPHER = 256;
const CIPHER = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** What providers encrypt and turn back into text: reasoning, search results. */
export function isCipher(text: string): boolean {
  return text.length >= SHORTEST_CIPHER && CIPHER.test(text);
}

/** The JSON of a value in which all is text to the model. Undefined: it may hold a file or a cipher, or there is no JSON of it. */
export function plainJson(value: unknown): string | undefined {
  return isPlain(value) ? JSON.stringify(value) : undefined;
}

function isPlain(value: unknown): boolean {
  if (typeof value === "string") return !value.startsWith("data:") && !isCipher(value);
  if (typeof value !== "object" || value === null) return typeof value !== "bigint";
  if (Array.isArray(value)) return value.every(isPlain);
  return !ArrayBuffer.isView(value) && !("toJSON" in value) && !mayBeMedia(value) && Object.values(value).every(isPlain);
}
