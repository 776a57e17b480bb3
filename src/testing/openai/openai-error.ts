import type { Rejection } from "../protocol.ts";
import type { Json } from "./json-values.ts";

interface ErrorDetails {
  readonly status?: number;
  readonly param?: string;
  readonly code?: string;
}

export function refuse(rule: string, message: string, { status = 400, param, code }: ErrorDetails = {}): Rejection {
  return { rule, status, body: { error: { message, type: "invalid_request_error", param: param ?? null, code: code ?? null } } };
}

export function refuseMissing(rule: string, param: string): Rejection {
  return refuse(rule, `Missing required parameter: '${param}'.`, { param, code: "missing_required_parameter" });
}

export function refuseType(rule: string, param: string, expected: string, found: unknown): Rejection {
  return refuse(rule, `Invalid type for '${param}': expected ${expected}, but got ${nameOf(found)} instead.`, { param, code: "invalid_type" });
}

export function refuseEmptyList(rule: string, param: string): Rejection {
  return refuse(rule, `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`, {
    param,
    code: "empty_array",
  });
}

export function refuseLongList(rule: string, param: string, maximum: number, found: number): Rejection {
  return refuse(rule, `Invalid '${param}': array too long. Expected an array with maximum length ${maximum}, but got an array with length ${found} instead.`, {
    param,
    code: "array_above_max_length",
  });
}

export function refuseLongText(rule: string, param: string, maximum: number, found: number): Rejection {
  return refuse(rule, `Invalid '${param}': string too long. Expected a string with maximum length ${maximum}, but got a string with length ${found} instead.`, {
    param,
    code: "string_above_max_length",
  });
}

export function refuseValue(rule: string, param: string, found: unknown, supported: readonly string[]): Rejection {
  const quoted = supported.map((value) => `'${value}'`);
  const last = quoted.at(-1) ?? "";
  const listed = quoted.length < 3 ? quoted.join(" and ") : `${quoted.slice(0, -1).join(", ")}, and ${last}`;
  return refuse(rule, `Invalid value: '${typeof found === "string" ? found : JSON.stringify(found)}'. Supported values are: ${listed}.`, {
    param,
    code: "invalid_value",
  });
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a decimal number";
  return `a ${typeof value}`;
}

const ERRORS: Readonly<Record<number, Readonly<Record<"message" | "type", string>> & { readonly code: string | null }>> = {
  // Used for a body that cannot be parsed.
  400: { message: "We could not parse the JSON body of your request.", type: "invalid_request_error", code: null },
  401: { message: "Incorrect API key provided.", type: "invalid_request_error", code: "invalid_api_key" },
  429: { message: "Rate limit reached for requests", type: "requests", code: "rate_limit_exceeded" },
  500: { message: "The server had an error while processing your request. Sorry about that!", type: "server_error", code: null },
  503: { message: "The server is currently overloaded with other requests. Sorry about that! Please try again later.", type: "server_error", code: null },
};

/** Returns the value of `error`. A status that is not in the table gets the entry of 500, or a generic error below 500. */
export function errorOf(status: number): Json & { readonly message: string; readonly code: string | null } {
  const known = ERRORS[status] ?? (status >= 500 ? ERRORS[500] : undefined);
  const { message, type, code } = known ?? { message: "Invalid request.", type: "invalid_request_error", code: null };
  return { message, type, param: null, code };
}
