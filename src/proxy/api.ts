import type { Wire } from "../agent/front-end/wire.ts";
import { createAnthropicWire } from "../agent/wires/anthropic/anthropic-wire.ts";
import { createChatWire } from "../agent/wires/openai-chat/chat-wire.ts";
import { createResponsesWire } from "../agent/wires/openai-responses/responses-wire.ts";
import { usageOfLast } from "../agent/wires/sum-counts.ts";

export type JsonWire = Wire<object, object, object>;

/** Whose rules a path follows, and which upstream serves it. */
export type Provider = "anthropic" | "openai";

/** The APIs whose conversations are read. */
export type ApiName = "anthropic" | "openai-chat" | "openai-responses";

/** What hidden rounds cost is in the records and metrics; agents have another use for the usage of an answer. */
export const WIRES: Readonly<Record<ApiName, JsonWire>> = {
  anthropic: createAnthropicWire(usageOfLast),
  "openai-chat": createChatWire(usageOfLast),
  "openai-responses": createResponsesWire(usageOfLast),
};
