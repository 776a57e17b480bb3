import * as http from "node:http";
import * as https from "node:https";
import { pipeline, type Readable } from "node:stream";
import type { Provider } from "../api.ts";
import { joinPath } from "../route.ts";
import { requestHeaders, type HeaderChanges, type RawHeaders } from "./headers.ts";

/** Why the provider did not answer, or did not finish. */
export class UpstreamFailure extends Error {
  override readonly name = "UpstreamFailure";
  readonly kind: "unreachable" | "reset" | "idle" | "aborted";

  constructor(kind: UpstreamFailure["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

export interface UpstreamRequest {
  readonly provider: Provider;
  readonly method: string;
  readonly target: string;
  readonly headers: RawHeaders;
  readonly changes: HeaderChanges;
  /** Undefined: no body. A stream is sent as it comes. */
  readonly body: Buffer | Readable | undefined;
  readonly signal: AbortSignal;
}

export interface Upstreams {
  /** Resolves as soon as the answer begins, whatever its status. Rejects with `UpstreamFailure`. */
  send(request: UpstreamRequest): Promise<http.IncomingMessage>;
  close(): void;
}

export interface UpstreamOptions {
  readonly urls: Readonly<Record<Provider, URL>>;
  /** 0: no limit. */
  readonly idleMs: number;
}

/** Keeps connections to the providers. */
export function createUpstreams({ urls, idleMs }: UpstreamOptions): Upstreams {
  const agents = {
    "http:": new http.Agent({ keepAlive: true, scheduling: "lifo" }),
    "https:": new https.Agent({ keepAlive: true, scheduling: "lifo" }),
  };
  const open = (request: UpstreamRequest, isNew: boolean): Promise<http.IncomingMessage> => {
    const url = urls[request.provider];
    const isTls = url.protocol === "https:";
    const options: https.RequestOptions = {
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port === "" ? (isTls ? 443 : 80) : url.port,
      path: joinPath(url.pathname, request.target),
      method: request.method,
      headers: requestHeaders(request.headers, { ...framingOf(request), ...authorizationOf(url, request.headers), ...request.changes, host: url.host }),
      agent: isNew ? false : agents[isTls ? "https:" : "http:"],
      signal: request.signal,
    };
    return new Promise((resolve, reject) => {
      const outgoing = (isTls ? https : http).request(options);
      let hasAnswer = false;
      outgoing.on("response", (incoming) => {
        hasAnswer = true;
        resolve(incoming);
      });
      // Stays attached after the answer has begun; from then on the error also reaches the reader of the answer.
      outgoing.on("error", (error) => {
        // The provider may close a kept connection just as it is reused. That is our fault for keeping it, so we retry and the client does not notice.
        const isStale = outgoing.reusedSocket && !hasAnswer && !request.signal.aborted && isReset(error) && !isStream(request.body);
        if (isStale) open(request, true).then(resolve, reject);
        else reject(failureOf(error, request.signal, outgoing));
      });
      if (idleMs > 0) outgoing.setTimeout(idleMs, () => outgoing.destroy(new UpstreamFailure("idle", `The provider sent nothing for ${idleMs} ms.`)));
      if (isStream(request.body)) pipeline(request.body, outgoing, () => undefined);
      else outgoing.end(request.body);
    });
  };
  return {
    send: (request) => open(request, false),
    close: () => Object.values(agents).forEach((agent) => agent.destroy()),
  };
}

function isStream(body: UpstreamRequest["body"]): body is Readable {
  return body !== undefined && !Buffer.isBuffer(body);
}

/** The length of the body, if we know it; a stream keeps the headers of its client. */
function framingOf({ body, headers }: UpstreamRequest): HeaderChanges {
  if (Buffer.isBuffer(body)) return { "content-length": String(body.length) };
  return body === undefined || isNamed(headers, "content-length") ? {} : { "transfer-encoding": "chunked" };
}

/** An upstream's address may contain a name and a password; the client's own take precedence. */
function authorizationOf({ username, password }: URL, headers: RawHeaders): HeaderChanges {
  if (username === "" || isNamed(headers, "authorization")) return {};
  return { authorization: `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64")}` };
}

function isNamed(headers: RawHeaders, wanted: string): boolean {
  return headers.some((name, index) => index % 2 === 0 && name.toLowerCase() === wanted);
}

function isReset(error: Error): boolean {
  return "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE");
}

/** Returns what stopped a request, or the answer to it. */
export function failureOf(error: unknown, signal: AbortSignal, outgoing?: http.ClientRequest): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error;
  const reason = error instanceof Error ? ("code" in error ? String(error.code) : error.message) : String(error);
  if (signal.aborted) return new UpstreamFailure("aborted", "The client went away.", error);
  const wasConnected = outgoing === undefined || outgoing.reusedSocket || (outgoing.socket?.bytesWritten ?? 0) > 0;
  if (wasConnected && error instanceof Error && isReset(error)) return new UpstreamFailure("reset", "The provider closed the connection.", error);
  return new UpstreamFailure("unreachable", `The provider cannot be reached: ${reason}.`, error);
}
