import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Refusal } from "./refusal.ts";

/** Allows only our own files: no foreign script, style or image, no framing, and no form target. */
export const PAGE_POLICY: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types palimpsest",
].join("; ");

const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";

const ALWAYS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const;

const LEAST_PACKED_BYTES = 1_400;
const pack = promisify(gzip);

export function headersOf(type: string, policy: string = DATA_POLICY): Readonly<Record<string, string>> {
  return { ...ALWAYS, "content-type": type, "content-security-policy": policy, "cache-control": "no-store" };
}

export async function sendJson(request: IncomingMessage, response: ServerResponse, value: unknown, status = 200): Promise<void> {
  await sendBytes(request, response, Buffer.from(JSON.stringify(value)), headersOf("application/json; charset=utf-8"), status);
}

/** Compresses large bodies if the client accepts that. */
export async function sendBytes(
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
  status = 200,
): Promise<void> {
  const isPacked = bytes.length >= LEAST_PACKED_BYTES && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  const body = isPacked ? await pack(bytes, { level: 1 }) : bytes;
  response.writeHead(status, { ...headers, "content-length": body.length, vary: "accept-encoding", ...(isPacked ? { "content-encoding": "gzip" } : {}) });
  response.end(request.method === "HEAD" ? undefined : body);
}

export async function sendRefusal(request: IncomingMessage, response: ServerResponse, { status, body }: Refusal): Promise<void> {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  await sendJson(request, response, body, status);
}
