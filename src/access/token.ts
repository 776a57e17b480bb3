import { createHash, timingSafeEqual } from "node:crypto";

/** Is it the token? Takes as long for every wrong one, whatever its length. */
export function isToken(given: string | undefined, token: string): boolean {
  return timingSafeEqual(digestOf(given ?? ""), digestOf(token)) && given !== undefined;
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
