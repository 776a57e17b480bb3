import { openStore } from "#open-store";
import { createFrontEnd } from "../front-end/front-end.ts";
import type { FrontEndOptions } from "../front-end/front-end-options.ts";
import { anthropicWire } from "../wires/anthropic/anthropic-wire.ts";
import { exchangeOverHttp } from "./http-exchange.ts";
import { withoutProviderThread } from "./provider-threads.ts";
import { reconfigured, requireClient, type Palimpsest } from "./wrapped.ts";

export type { FrontEndEvent } from "../front-end/front-end-event.ts";
export type { FrontEndOptions } from "../front-end/front-end-options.ts";
export type { CallMetrics } from "../front-end/metrics.ts";
export type { Palimpsest } from "./wrapped.ts";

interface ApiRequest {
  readonly url: string;
  readonly method?: string;
  readonly body?: unknown;
}

type Next = (request: ApiRequest) => Promise<Response>;

/**
 * Returns a client that keeps its conversations small, in every way of sending messages: `create`, `stream` and the tool runner, with and without
 * `beta`. `false`: returns the client itself.
 */
export function wrapAnthropic<C extends object>(client: C, options: false): C;
export function wrapAnthropic<C extends object>(client: C, options?: FrontEndOptions | false): C & Palimpsest;
export function wrapAnthropic<C extends object>(client: C, options: FrontEndOptions | false = {}): C {
  requireClient(client, "a client of @anthropic-ai/sdk", (candidate) => "messages" in candidate);
  if (options === false) return client;
  const frontEnd = createFrontEnd(options, openStore);
  const through = async (request: ApiRequest, next: Next): Promise<Response> => {
    if (!isMessageRequest(request) || typeof request.body !== "string") return next(request);
    const whole = withoutProviderThread(request.body);
    return "refusal" in whole ? whole.refusal : exchangeOverHttp(frontEnd, anthropicWire, whole.body, (body) => next({ ...request, body }));
  };
  const { middleware, fetch } = client as { readonly middleware?: unknown; readonly fetch?: typeof globalThis.fetch };
  // Middleware sees Anthropic's own requests for every platform, before they are signed. Older SDKs have no middleware, so there `fetch` is wrapped.
  if (Array.isArray(middleware)) return reconfigured(client, { middleware: [...(middleware as unknown[]), through] }, frontEnd);
  const send = fetch ?? globalThis.fetch;
  return reconfigured(
    client,
    { fetch: (url: string, init: RequestInit = {}) => through({ ...init, url }, ({ url: to, ...rest }) => send(to, rest as RequestInit)) },
    frontEnd,
  );
}

function isMessageRequest({ url, method }: ApiRequest): boolean {
  return method?.toUpperCase() === "POST" && new URL(url).pathname.endsWith("/v1/messages");
}
