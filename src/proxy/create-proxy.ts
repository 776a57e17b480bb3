import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { listen } from "../access/listen.ts";
import type { CallMetrics } from "../agent/front-end/metrics.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { answerRequest } from "./answer-request.ts";
import { createCounters } from "./counters.ts";
import type { Engine } from "./engine.ts";
import { createFrontEndEngine } from "./front-end-engine.ts";
import { ClientAnswer } from "./http/client-answer.ts";
import { createUpstreams } from "./http/upstreams.ts";
import { LargeBodies } from "./large/large-bodies.ts";
import { answerOwnPage, ownPage } from "./own-pages.ts";
import { metricsOf, type ProxyContext } from "./proxy-context.ts";
import type { ProxyEvent } from "./proxy-event.ts";
import { RequestReader } from "./request-reader.ts";
import { parseProxyOptions, type ParsedProxyOptions, type ProxyOptions } from "./proxy-options.ts";

export interface Proxy {
  /** Returns the address, such as "http://127.0.0.1:4141". Throws `LISTEN_FAILED`. */
  listen(): Promise<string>;
  /** Serves one connection that is already open. */
  accept(connection: Duplex): void;
  /** Metrics of all calls so far. */
  metrics(): CallMetrics;
  /** Returns why conversations cannot be stored at the moment. Undefined: they can. */
  whyNotReady(): string | undefined;
  /** Accepts nothing new and waits, up to `shutdownMs`, until running calls have ended and are stored. Rejects if something could not be stored and is lost. */
  close(): Promise<void>;
}

/** Longer than clients keep a connection, so that they close it: if we did, the client might be about to use it. */
const KEEP_ALIVE_MS = 75_000;
/** Time to store what is new, however long the last answers took. */
const LEAST_STORING_MS = 1_000;
/** Limit for the head of a request. Its body has its own limit, and an answer has none. */
const HEAD_MS = 60_000;

/** Throws `INVALID_OPTION`. `engine` replaces the one that the options describe. */
export function createProxy(options: ProxyOptions = {}, engine?: Engine): Proxy {
  const parsed = parseProxyOptions(options);
  const context = contextFor(parsed, engine);
  let closing: Promise<void> | undefined;
  const retention = startRetention(context);
  const server = createServer(
    { maxHeaderSize: parsed.maxHeaderBytes, headersTimeout: HEAD_MS, requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => {
      if (parsed.pages(request, response)) return;
      const answer = new ClientAnswer(response, parsed.clientIdleMs);
      const page = ownPage(request.url ?? "/");
      if (page !== undefined) answerOwnPage(page, context, request, answer, closing !== undefined);
      else void answerRequest(context, request, answer);
    },
  );
  server.maxConnections = parsed.maxConnections;
  server.on("clientError", refuseBadRequest);
  return {
    listen: () => listen(server, parsed),
    accept: (connection) => void server.emit("connection", connection),
    metrics: () => metricsOf(context),
    whyNotReady: () => context.engine.whyNotReady(),
    close: () => {
      clearInterval(retention);
      return (closing ??= close(server, context));
    },
  };
}

function contextFor(parsed: ParsedProxyOptions, engine: Engine | undefined): ProxyContext {
  const counters = createCounters();
  const happened = (event: ProxyEvent): void => {
    if (event.type === "call") counters.call(event.call);
    else if (event.type === "failed") counters.failed(event.stage);
    else if (event.event.type === "failed") counters.failed(event.event.stage === "request" ? "view" : event.event.stage);
    parsed.onEvent(event);
  };
  const isThreaded = engine === undefined && parsed.largeBodyBytes > 0;
  // A memory store exists in one thread only; the other thread asks that one.
  const store = isThreaded && parsed.store === "memory" ? createMemoryStore() : parsed.store;
  const maxMemoryMb = isThreaded ? Math.max(1, Math.floor(parsed.maxMemoryMb / 2)) : parsed.maxMemoryMb;
  return {
    options: parsed,
    counters,
    reader: new RequestReader(),
    engine: engine ?? engineFor({ ...parsed, store, maxMemoryMb }, happened),
    large: isThreaded ? largeBodiesFor({ ...parsed, store, maxMemoryMb }, happened) : undefined,
    upstreams: createUpstreams({ urls: { anthropic: parsed.anthropicUpstream, openai: parsed.openaiUpstream }, idleMs: parsed.upstreamIdleMs }),
    happened,
    failed: (stage, error, path) => happened({ type: "failed", stage, error, path }),
  };
}

function largeBodiesFor(parsed: ParsedProxyOptions, happened: (event: ProxyEvent) => void): LargeBodies {
  const { store, pages: _, onEvent: __, isLoopback: ___, anthropicUpstream, openaiUpstream, token, redact, ...settings } = parsed;
  return new LargeBodies({
    settings: {
      ...settings,
      anthropicUpstream: anthropicUpstream.href,
      openaiUpstream: openaiUpstream.href,
      ...(token === undefined ? {} : { token }),
      ...(redact === undefined ? {} : { redact }),
      retentionDays: 0,
      largeBodyBytes: 0,
    },
    store,
    limitBytes: parsed.largeBodyBytes,
    shutdownMs: parsed.shutdownMs,
    onEvent: happened,
  });
}

function engineFor({ policy, tools, store, redact, maxMemoryMb }: ParsedProxyOptions, happened: (event: ProxyEvent) => void): Engine {
  return createFrontEndEngine({ policy, tools, store, redact, maxMemoryMb, onEvent: (event) => happened({ type: "engine", event }) });
}

/** Not during startup, but soon enough for a proxy that never runs for an hour. */
const FIRST_RETENTION_MS = 10_000;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Retention is in days, so once an hour is often enough. */
function startRetention({ options: { retentionDays }, engine, failed }: ProxyContext): NodeJS.Timeout | undefined {
  if (retentionDays === 0) return undefined;
  const retain = (): void => {
    engine.retain(Date.now() - retentionDays * DAY_MS).catch((error: unknown) => failed("engine", error, "retention"));
  };
  setTimeout(retain, FIRST_RETENTION_MS).unref();
  return setInterval(retain, HOUR_MS).unref();
}

async function close(server: Server, { options, upstreams, engine, large }: ProxyContext): Promise<void> {
  const endsAtMs = performance.now() + options.shutdownMs;
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), options.shutdownMs);
  // Otherwise a client could hold a connection open that has just become idle.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  await closed;
  clearTimeout(timer);
  clearInterval(sweep);
  upstreams.close();
  await large?.close();
  await engine.close(Math.max(LEAST_STORING_MS, endsAtMs - performance.now()));
}

/** Without a readable request, the API is unknown, and so is the format of its errors. */
function refuseBadRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const status =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "431 Request Header Fields Too Large"
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "408 Request Timeout"
        : "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
