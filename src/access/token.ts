import { createHash, timingSafeEqual } from "node:crypto";

/** Says whether it is the token, in constant time, whatever the length. */
export function isToken(given: string | undefined, token: string): boolean {
  return timingSafeEqual(digestOf(given ?? ""), digestOf(token)) && given !== undefined;
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
