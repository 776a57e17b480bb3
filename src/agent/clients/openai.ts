import { openStore } from "#open-store";
import { createFrontEnd } from "../front-end/front-end.ts";
import type { FrontEndOptions } from "../front-end/front-end-options.ts";
import type { Wire } from "../front-end/wire.ts";
import { chatWire } from "../wires/openai-chat/chat-wire.ts";
import { responsesWire } from "../wires/openai-responses/responses-wire.ts";
import { exchangeOverHttp } from "./http-exchange.ts";
import { reconfigured, requireClient, type Palimpsest } from "./wrapped.ts";

export type { FrontEndEvent } from "../front-end/front-end-event.ts";
export type { FrontEndOptions } from "../front-end/front-end-options.ts";
export type { CallMetrics } from "../front-end/metrics.ts";
export type { Palimpsest } from "./wrapped.ts";

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * The client, with its conversations kept small: chat completions and responses, streamed or not, go through the thread that their
 * messages belong to. Responses that go on by `previous_response_id` are known by the answer that they go on from: what comes in new is shortened, and nothing
 * that the provider keeps. Those of a `conversation` of the provider's, and of answers that nobody here knows, go on as they are.
 * `false`: the client itself.
 */
export function wrapOpenAI<C extends object>(client: C, options: false): C;
export function wrapOpenAI<C extends object>(client: C, options?: FrontEndOptions | false): C & Palimpsest;
export function wrapOpenAI<C extends object>(client: C, options: FrontEndOptions | false = {}): C {
  requireClient(client, "a client of openai", (candidate) => "chat" in candidate || "responses" in candidate);
  if (options === false) return client;
  const frontEnd = createFrontEnd(options, openStore);
  const send = (client as { readonly fetch?: Fetch }).fetch ?? globalThis.fetch;
  const through: Fetch = async (url, init = {}) => {
    const wire = wireFor(url, init);
    if (wire === undefined || typeof init.body !== "string") return send(url, init);
    return exchangeOverHttp(frontEnd, wire, init.body, (body) => send(url, { ...init, body }));
  };
  return reconfigured(client, { fetch: through }, frontEnd);
}

function wireFor(url: string | URL | Request, { method }: RequestInit): Wire<object, object, object> | undefined {
  if (method?.toUpperCase() !== "POST" || url instanceof Request) return undefined;
  const { pathname } = new URL(url);
  if (pathname.endsWith("/chat/completions")) return chatWire;
  return pathname.endsWith("/responses") ? responsesWire : undefined;
}
