import { invalid } from "../../errors/palimpsest-error.ts";
import { count } from "../../errors/parse-options.ts";
import type { Block } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { parseBlock, parseMessages } from "../../messages/parse-messages.ts";
import type { OpenRequest, Request } from "../../messages/request.ts";

/** A request with the other facts that the bill needs. */
export type BilledRequest = (Request | OpenRequest) & {
  /** When the request started. Without it, or if the clock was set back, the cache has not expired since the previous request. */
  readonly atMs?: number;
  /** Default 0. */
  readonly outputTokens?: number;
  /** A model that differs from that of the sequence; it has its own cache and prices. */
  readonly model?: string;
};

/** Throws if the value is not a request. What a provider would refuse is refused later, where it affects the bill. */
export function parseRequest(value: BilledRequest): BilledRequest {
  if (!isRecord(value)) throw invalid("INVALID_INPUT", "request", "a request { messages }", value);
  const { messages, system, tools, atMs, outputTokens, model } = value as Readonly<Record<string, unknown>>;
  parseMessages(messages);
  if (!isSystem(system)) throw invalid("INVALID_INPUT", "system", "a string or an array of blocks", system);
  if (typeof system === "object") for (const [number, block] of system.entries()) parseBlock(block, `system.${number}`);
  if (tools !== undefined && !(Array.isArray(tools) && tools.every(isRecord))) throw invalid("INVALID_INPUT", "tools", "an array of tools", tools);
  if (atMs !== undefined && !Number.isFinite(atMs)) throw invalid("INVALID_INPUT", "atMs", "a time in milliseconds", atMs);
  if (outputTokens !== undefined && !count.accepts(outputTokens)) throw invalid("INVALID_INPUT", "outputTokens", count.expected, outputTokens);
  if (model !== undefined && typeof model !== "string") throw invalid("INVALID_INPUT", "model", "the name of a model", model);
  return value;
}

function isSystem(system: unknown): system is string | readonly Block[] | undefined {
  return system === undefined || typeof system === "string" || Array.isArray(system);
}
