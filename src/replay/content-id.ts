import { createHash } from "node:crypto";

const ID_LENGTH = 16;

/** A name for a JSON value that follows from what it says. */
export function contentId(json: string): string {
  return createHash("sha256").update(json).digest("hex").slice(0, ID_LENGTH);
}
