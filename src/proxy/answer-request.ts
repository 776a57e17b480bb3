import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { isToken } from "../access/token.ts";
import { ClientCall } from "./client-call.ts";
import { ConversationCall } from "./conversation-call.ts";
import { hintsOf } from "./conversation-hints.ts";
import { ClientGone, type ClientAnswer } from "./http/client-answer.ts";
import type { HeaderChanges } from "./http/headers.ts";
import { receiveBody, SlowClient } from "./http/receive-body.ts";
import { UpstreamFailure } from "./http/upstreams.ts";
import { ownerOf } from "./owner.ts";
import type { ProxyContext } from "./proxy-context.ts";
import { readRequest } from "./read-request.ts";
import { routeOf } from "./route.ts";

/** Answers one request that is not for the proxy itself. Never rejects: what cannot be answered is broken off. */
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
  const { options } = context;
  const complaint = complaintAbout(context, request);
  if (complaint !== undefined) {
    call.answer.error(route.provider, complaint.status, `palimpsest: ${complaint.message}`, complaint.headers);
    return;
  }
  if (route.api === undefined) return call.passThrough(bodyOf(request), "other-path");
  if (headerOf(request, "x-palimpsest-bypass") === "1") return call.passThrough(bodyOf(request), "bypass");
  const body = await receiveBody(request, options.maxBodyBytes, options.clientIdleMs);
  if (body.kind === "large") return call.passThrough(body.stream, "too-large");
  const received = await readRequest(body.bytes, headers["content-encoding"], options.maxBodyBytes);
  if (received === undefined) return call.passThrough(body.bytes, "unreadable");
  const owner = ownerOf({ token: options.token, isLoopback: options.isLoopback, headers, body: received.body });
  const policy = headerOf(request, "x-palimpsest-policy");
  return new ConversationCall({ call, api: route.api, received, owner, hints: hintsOf(headers, received.body), policy }).run();
}

interface Complaint {
  readonly status: number;
  readonly message: string;
  readonly headers?: HeaderChanges;
}

/** What the proxy itself answers, before it reads a body. */
function complaintAbout({ options, engine }: ProxyContext, request: IncomingMessage): Complaint | undefined {
  if (options.token !== undefined && !isToken(headerOf(request, "x-palimpsest-token"), options.token))
    return { status: 401, message: "the header x-palimpsest-token is missing or wrong." };
  // Codex tries it first, and falls back to HTTP at once.
  if (request.headers.upgrade?.toLowerCase() === "websocket") return { status: 426, message: "no WebSocket here; use HTTP.", headers: { connection: "close" } };
  const policy = headerOf(request, "x-palimpsest-policy");
  if (policy === undefined || engine.policies.includes(policy)) return undefined;
  return { status: 400, message: `x-palimpsest-policy names no policy. There are: ${engine.policies.join(", ")}.` };
}

/** Undefined: there is none, which is not the same as an empty one. */
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
  // The client broke off in the middle of its own request.
  if (request.errored !== null) return answer.reset();
  call.failed("internal", error);
  if (answer.hasBegun) answer.reset();
  else answer.error(route.provider, 500, "palimpsest: this request could not be answered.");
}
