import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { isToken } from "../access/token.ts";
import { ClientCall } from "./client-call.ts";
import { ConversationCall, contextOf, type ConversationCallOptions } from "./conversation-call.ts";
import { ClientGone, type ClientAnswer } from "./http/client-answer.ts";
import { unpackBody } from "./http/content-encoding.ts";
import type { HeaderChanges } from "./http/headers.ts";
import { receiveBody, SlowClient } from "./http/receive-body.ts";
import { UpstreamFailure } from "./http/upstreams.ts";
import { ThreadFailure, type LargeBodies } from "./large/large-bodies.ts";
import { outgoingFor } from "./outgoing-bodies.ts";
import { ownerOf } from "./owner.ts";
import type { ProxyContext } from "./proxy-context.ts";
import { routeOf } from "./route.ts";

/** Answers one request that is not for the proxy itself. Never rejects: if there is no way to answer, it closes the connection. */
export async function answerRequest(context: ProxyContext, request: IncomingMessage, answer: ClientAnswer): Promise<void> {
  const call = new ClientCall(context, request, answer, routeOf(request.method ?? "GET", request.url ?? "/", request.headers));
  context.counters.running(1);
  try {
    await answerCall(context, call);
  } catch (error) {
    settle(call, error);
  } finally {
    context.counters.running(-1);
    call.close();
  }
}

async function answerCall(context: ProxyContext, call: ClientCall): Promise<void> {
  const { request, route } = call;
  const { headers } = request;
  const { options: settings } = context;
  const complaint = complaintAbout(context, request);
  if (complaint !== undefined) {
    call.answer.error(route.provider, complaint.status, `palimpsest: ${complaint.message}`, complaint.headers);
    return;
  }
  const api = route.api ?? route.counts;
  if (api === undefined) return call.passThrough(bodyOf(request), "other-path");
  if (headerOf(request, "x-palimpsest-bypass") === "1") return call.passThrough(bodyOf(request), "bypass");
  const body = await receiveBody(request, settings.maxBodyBytes, settings.clientIdleMs);
  if (body.kind === "large") return call.passThrough(body.stream, "too-large");
  const unpacked = await unpackBody(body.bytes, headers["content-encoding"], settings.maxBodyBytes);
  const { large } = context;
  if (large !== undefined && unpacked !== undefined && (await large.takes(unpacked.length, context.reader.unseenBytes(unpacked))))
    return answerInThread(large, call, body.bytes);
  const received = unpacked === undefined ? undefined : context.reader.read(body.bytes, unpacked);
  if (received === undefined) return call.passThrough(body.bytes, "unreadable");
  const owner = ownerOf({ token: settings.token, isLoopback: settings.isLoopback, headers, body: received.body });
  const policy = headerOf(request, "x-palimpsest-policy");
  const options = { call, api, received, owner, policy };
  return route.api === undefined ? countTokens(options) : new ConversationCall(options).run();
}

/** How long a large body waits for the records of earlier calls to be written. The conversation itself was written before its calls ended. */
const RECORDS_MS = 1_000;

/** If the thread fails before an answer has begun, the client's own bytes are sent. */
async function answerInThread(large: LargeBodies, call: ClientCall, body: Buffer): Promise<void> {
  try {
    await Promise.race([call.context.engine.saved().catch(() => undefined), wait(RECORDS_MS, undefined, { ref: false })]);
    call.isForwarded = true;
    await large.answer(call.request, body, call.answer);
  } catch (error) {
    if (!(error instanceof ThreadFailure) || call.answer.hasBegun) throw error;
    call.isForwarded = false;
    call.failed("internal", error);
    await call.passThrough(body, "failed");
  }
}

/** For a known conversation, counts the tokens of the view that would be sent. Anything else is counted as it came. */
async function countTokens(options: ConversationCallOptions): Promise<void> {
  const { call, api, received } = options;
  let body: Buffer = received.bytes;
  let changes: HeaderChanges = {};
  try {
    const view = await call.context.engine.preview({ api, body: received.body, context: contextOf(options, () => undefined) });
    if (view !== undefined && !call.context.options.observe) {
      const outgoing = outgoingFor(view, {
        received,
        observe: false,
        ignoresMarkers: true,
        asItCame: "count",
        onFailure: (error) => call.failed("splice", error),
      });
      body = outgoing.bytes;
      if (!outgoing.isOwn) changes = { "content-encoding": undefined };
    }
  } catch (error) {
    call.failed("engine", error);
  }
  await call.passThrough(body, "count", {}, changes);
}

interface Complaint {
  readonly status: number;
  readonly message: string;
  readonly headers?: HeaderChanges;
}

/** Returns the error that the proxy itself answers with, before it reads a body. */
function complaintAbout({ options, engine }: ProxyContext, request: IncomingMessage): Complaint | undefined {
  if (options.token !== undefined && !isToken(headerOf(request, "x-palimpsest-token"), options.token))
    return { status: 401, message: "the header x-palimpsest-token is missing or wrong." };
  // Codex tries it first, and falls back to HTTP at once.
  if (request.headers.upgrade?.toLowerCase() === "websocket") return { status: 426, message: "no WebSocket here; use HTTP.", headers: { connection: "close" } };
  const policy = headerOf(request, "x-palimpsest-policy");
  if (policy === undefined || engine.policies.includes(policy)) return undefined;
  return { status: 400, message: `x-palimpsest-policy names an unknown policy. Use one of: ${engine.policies.join(", ")}.` };
}

/** Undefined: there is no body, which is not the same as an empty one. */
function bodyOf(request: IncomingMessage): Readable | undefined {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  return encoding !== undefined || Number(length ?? 0) > 0 ? request : undefined;
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : value?.[0];
}

function settle(call: ClientCall, error: unknown): void {
  const { answer, route, request } = call;
  if (error instanceof UpstreamFailure) return call.unanswered(error);
  if (error instanceof ClientGone || answer.signal.aborted) return;
  if (error instanceof SlowClient) return answer.error(route.provider, 408, `palimpsest: ${error.message}`, { connection: "close" });
  // The client went away in the middle of its own request.
  if (request.errored !== null) return answer.reset();
  call.failed("internal", error);
  if (answer.hasBegun) answer.reset();
  else answer.error(route.provider, 500, "palimpsest: this request could not be answered.");
}
