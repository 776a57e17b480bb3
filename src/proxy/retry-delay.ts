import type { IncomingMessage } from "node:http";

const FIRST_DELAY_MS = 1_000;

/** The provider is overloaded, or its rate limit was reached. */
export function isHiddenRetry({ statusCode }: IncomingMessage): boolean {
  return statusCode === 429 || statusCode === 529;
}

/** Returns how long to wait before the next attempt: as the provider says, or else twice as long each time. */
export function retryDelayMs({ headers }: IncomingMessage, attempt: number): number {
  const ms = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (ms >= 0) return ms;
  const after = headers["retry-after"];
  const seconds = Number(after ?? Number.NaN);
  if (seconds >= 0) return seconds * 1_000;
  const date = Date.parse(after ?? "");
  return Number.isNaN(date) ? FIRST_DELAY_MS * 2 ** attempt : Math.max(0, date - Date.now());
}
