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
 * Returns a client that keeps its conversations small, in chat completions and responses, streamed or not. Requests with `previous_response_id` belong
 * to the conversation of that response: new input is shortened, but not what the provider keeps. Requests with a provider-side `conversation`, or with
 * an unknown response id, are passed on unchanged. `false`: returns the client itself.
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
