import type { Wire } from "../agent/front-end/wire.ts";
import { anthropicWire } from "../agent/wires/anthropic/anthropic-wire.ts";
import { chatWire } from "../agent/wires/openai-chat/chat-wire.ts";
import { responsesWire } from "../agent/wires/openai-responses/responses-wire.ts";

export type JsonWire = Wire<object, object, object>;

/** Whose rules a path follows, and which upstream serves it. */
export type Provider = "anthropic" | "openai";

/** The APIs whose conversations are read. */
export type ApiName = "anthropic" | "openai-chat" | "openai-responses";

export const WIRES: Readonly<Record<ApiName, JsonWire>> = {
  anthropic: anthropicWire,
  "openai-chat": chatWire,
  "openai-responses": responsesWire,
};
