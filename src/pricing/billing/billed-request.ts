import { invalid } from "../../errors/palimpsest-error.ts";
import { count } from "../../errors/parse-options.ts";
import type { Block } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { parseBlock, parseMessages } from "../../messages/parse-messages.ts";
import type { OpenRequest, Request } from "../../messages/request.ts";

/** A request with what the bill needs beyond it. */
export type BilledRequest = (Request | OpenRequest) & {
  /** When the request started. Without it, or where the clock was set back since, it follows the one before it while everything cached is still there. */
  readonly atMs?: number;
  /** None are billed unless given. */
  readonly outputTokens?: number;
  /** Another model than that of the sequence: it has a cache and prices of its own. */
  readonly model?: string;
};

/** Refuses what is not a request at all; what a provider would refuse in it is refused where it matters to the bill. */
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
