import type { Block, Message } from "./message.ts";

/**
 * "Cache the prompt up to here" (A6): on a tool, a system block, a message block, or on the request itself, where it means the
 * last block that can be cached.
 */
export interface CacheMarker {
  readonly type: "ephemeral";
  readonly ttl?: "5m" | "1h";
}

/** A request to the model in Anthropic's shape. Only the fields that this package reads are declared; all others pass through. */
export interface Request {
  readonly system?: string | readonly Block[];
  readonly tools?: readonly unknown[];
  readonly messages: readonly Message[];
  readonly cache_control?: CacheMarker | null;
}

/** The same for literals, which may have any field. */
export interface OpenRequest extends Request {
  readonly [field: string]: unknown;
}
