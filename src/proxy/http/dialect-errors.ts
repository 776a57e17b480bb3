import { isRecord } from "../../errors/is-record.ts";
import type { ApiName, Provider } from "../api.ts";

const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  408: "timeout_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/** Returns the body of an error that the proxy itself answers with, in the shape of the API that was called. */
export function errorBody(provider: Provider, status: number, message: string): object {
  if (provider === "anthropic") return { type: "error", error: { type: ANTHROPIC_TYPES[status] ?? errorTypeFor(status), message } };
  return { error: { message, type: status === 429 ? "rate_limit_error" : openAiType(status), param: null, code: status === 401 ? "invalid_api_key" : null } };
}

function errorTypeFor(status: number): string {
  return status < 500 ? "invalid_request_error" : "api_error";
}

function openAiType(status: number): string {
  return status < 500 ? "invalid_request_error" : "server_error";
}

/** Returns the event that ends a stream with an error. `said`: the provider's own body, where there is one. */
export function errorEvent(api: ApiName, status: number, message: string, said?: unknown): string {
  const theirs = isRecord(said) && isRecord(said["error"]) ? said : undefined;
  switch (api) {
    case "anthropic":
      return `event: error\ndata: ${JSON.stringify(theirs ?? errorBody("anthropic", status, message))}\n\n`;
    case "openai-chat":
      return `data: ${JSON.stringify(theirs ?? errorBody("openai", status, message))}\n\n`;
    case "openai-responses": {
      const { error } = (theirs ?? errorBody("openai", status, message)) as { readonly error: Readonly<Record<string, unknown>> };
      const { message: text = message, code = null, param = null } = error;
      return `event: error\ndata: ${JSON.stringify({ type: "error", code, message: text, param })}\n\n`;
    }
  }
}

/** Returns what keeps a silent stream alive: an event that the API has, or a comment, which every reader skips. */
export function keepAlive(api: ApiName): string {
  return api === "anthropic" ? 'event: ping\ndata: {"type": "ping"}\n\n' : ": ping\n\n";
}
