import { createHash } from "node:crypto";
import type { Message } from "../../messages/message.ts";

/** Returns an id for a new record: a UUID derived from its content and place, so that the same view produces the same file. */
export function recordId(message: Message, after: string | undefined): string {
  const digits = createHash("sha256")
    .update(JSON.stringify([after ?? "", message.role, message.content]))
    .digest("hex");
  // Version 8 is for custom UUIDs (RFC 9562).
  return [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`, digits.slice(20, 32)].join("-");
}
