import type { Rejection, ServerSentEvent } from "../protocol.ts";
import type { Refusal } from "./refusal.ts";

/** Error types and messages, by status. */
const ERRORS: Readonly<Record<number, readonly [type: string, message: string]>> = {
  400: ["invalid_request_error", "Invalid request"],
  401: ["authentication_error", "invalid x-api-key"],
  403: ["permission_error", "Your API key does not have permission to use the specified resource."],
  404: ["not_found_error", "Not found"],
  413: ["request_too_large", "Request exceeds the maximum size"],
  429: ["rate_limit_error", "This request would exceed your organization's rate limit. Please try again later."],
  500: ["api_error", "Internal server error"],
  504: ["timeout_error", "The request timed out while processing."],
  529: ["overloaded_error", "Overloaded"],
};

export function errorBody(status: number, requestId: string): Rejection["body"] {
  const [type, message] = ERRORS[status] ?? (status < 500 ? ["invalid_request_error", `HTTP status ${status}`] : ["api_error", "Internal server error"]);
  return { type: "error", error: { type, message }, request_id: requestId };
}

export function errorEvent(status: number, requestId: string): ServerSentEvent {
  return { event: "error", data: JSON.stringify(errorBody(status, requestId)) };
}

export function rejection({ rule, message }: Refusal, requestId: string): Rejection {
  return { status: 400, rule, body: { type: "error", error: { type: "invalid_request_error", message }, request_id: requestId } };
}
