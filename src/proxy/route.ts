import type { IncomingHttpHeaders } from "node:http";
import type { ApiName, Provider } from "./api.ts";

/** Where a request goes, and whether its conversation is read. */
export interface Route {
  readonly provider: Provider;
  /** Path and query, as the client wrote them; without the prefix that names the provider. */
  readonly target: string;
  /** Undefined: it goes upstream as it is. */
  readonly api: ApiName | undefined;
  /** The request only counts tokens. */
  readonly counts?: ApiName;
}

/** Returns the route of a request. Its prefix decides, or else its path, or else its headers. */
export function routeOf(method: string, url: string, headers: IncomingHttpHeaders): Route {
  const whole = originForm(url);
  const named = /^\/(anthropic|openai)(?=[/?]|$)/.exec(whole);
  const target = named === null ? whole : withSlash(whole.slice(named[0].length));
  const path = target.split("?", 1)[0] ?? "/";
  const provider = (named?.[1] as Provider | undefined) ?? providerOfPath(path) ?? providerOfHeaders(headers);
  const counts = method === "POST" && path.endsWith("/messages/count_tokens");
  return { provider, target, api: method === "POST" ? apiOf(path) : undefined, ...(counts ? { counts: "anthropic" } : {}) };
}

function apiOf(path: string): ApiName | undefined {
  if (path.endsWith("/chat/completions")) return "openai-chat";
  if (path.endsWith("/responses")) return "openai-responses";
  return path.endsWith("/messages") && !isOfOpenAi(path) ? "anthropic" : undefined;
}

function providerOfPath(path: string): Provider | undefined {
  if (isOfOpenAi(path)) return "openai";
  return /\/messages(\/|$)/.test(path) ? "anthropic" : undefined;
}

/** OpenAI's threads and stored completions also have paths with "messages". */
function isOfOpenAi(path: string): boolean {
  return /\/(chat\/completions|responses|threads)(\/|$)/.test(path);
}

/** Claude Code probes `HEAD /` without any header that names the provider. */
function providerOfHeaders(headers: IncomingHttpHeaders): Provider {
  if (headers["anthropic-version"] !== undefined || headers["x-api-key"] !== undefined) return "anthropic";
  return headers.authorization === undefined ? "anthropic" : "openai";
}

/** A client that treats us as a forward proxy sends the host too. It is ignored: only the route decides where a request goes. */
function originForm(url: string): string {
  return withSlash(url.replace(/^https?:\/\/[^/?#]*/i, ""));
}

function withSlash(path: string): string {
  return path.startsWith("/") ? path : `/${path}`;
}

/** Returns the path at the upstream. A `/v1` in both is merged, so that a base URL works with and without it. */
export function joinPath(base: string, target: string): string {
  const root = base.replace(/\/+$/, "");
  const rest = root.endsWith("/v1") && /^\/v1(?=[/?]|$)/.test(target) ? target.slice("/v1".length) : target;
  return root === "" ? target : root + rest;
}
