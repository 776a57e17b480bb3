import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Fault, Protocol, Rejection } from "../protocol.ts";
import type { RecordedRequest } from "../recorded-request.ts";
import { parseObject, readBody } from "./read-body.ts";
import type { ScriptPlayer } from "./script-player.ts";
import { sendJson, sendStream, sendWhole } from "./send.ts";

type Json = Readonly<Record<string, unknown>>;

export interface HandlerOptions {
  readonly protocols: readonly Protocol[];
  readonly player: ScriptPlayer;
  /** Called right before the answer to this request is made. */
  readonly answerTo: (raw: Uint8Array) => void;
  /** Requested faults, the next one first. */
  readonly faults: Fault[];
  readonly record: (request: RecordedRequest) => void;
  readonly now: () => number;
  readonly latencyMs: number;
}

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Tells SDKs not to retry a request that cannot be answered. */
const NO_RETRY = { "x-should-retry": "false" };
const RETRY_AT_ONCE = { "retry-after-ms": "1" };
const OVERLOADED = 529;

type Seen = Pick<RecordedRequest, "protocol" | "path" | "headers" | "body" | "raw" | "streamed">;

/** The decision about a request, and how to send the reply. */
interface Reply {
  readonly recorded: RecordedRequest;
  readonly send: (response: ServerResponse) => void | Promise<void>;
}

export function createRequestHandler({ protocols, player, answerTo, faults, record, now, latencyMs }: HandlerOptions): RequestHandler {
  async function decide(request: IncomingMessage): Promise<Reply> {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    const headers = headersOf(request);
    const protocol = protocols.find((each) => each.path === path || each.count?.path === path);
    const raw = await readBody(request, protocol?.maxBodyBytes ?? Infinity);
    const body = parseObject(raw?.toString("utf8") ?? "");
    const seen: Seen = { protocol: protocol?.name, path, headers, body: body ?? {}, raw: raw ?? new Uint8Array(), streamed: body?.["stream"] === true };
    if (protocol === undefined || request.method !== "POST") return refusal(seen, 404, notFound(request, path), {});
    if (raw === undefined) return refusal(seen, 413, protocol.errorBody(413), { rule: "A6" });
    if (body === undefined) return refusal(seen, 400, withMessage(protocol.errorBody(400), "The request body is not valid JSON."), { rule: "shape" });
    const counting = protocol.count?.path === path ? protocol.count : undefined;
    // Rate limits come first, whatever the request contains.
    if (counting === undefined && typeof faults[0] === "number") return failure(seen, protocol, faults.shift());
    const rejected: Rejection | undefined = (counting ?? protocol).check(body, headers);
    if (rejected !== undefined) return refusal(seen, rejected.status, rejected.body, { rule: rejected.rule });
    if (counting !== undefined) return { recorded: { ...seen, status: 200 }, send: (response) => sendJson(response, 200, counting.answer(body)) };
    try {
      return await answer(seen, protocol);
    } catch (error) {
      return refusal(seen, 500, withMessage(protocol.errorBody(500), error instanceof Error ? error.message : String(error)), {});
    }
  }

  async function answer(seen: Seen, protocol: Protocol): Promise<Reply> {
    const cameMs = now();
    const forced = faults.shift();
    const turn = await player.next(seen.body, protocol.read, forced !== undefined);
    const fault = forced ?? turn.fault;
    if (latencyMs > 0) await wait(latencyMs, undefined, { ref: false });
    if (typeof fault === "number" || (fault === "error-event" && !seen.streamed)) return failure(seen, protocol, fault);
    answerTo(seen.raw);
    const played = protocol.answer(seen.body, turn, cameMs);
    const { usage } = played.json;
    const isSilent = !seen.streamed && (fault === "reset" || fault === "hang");
    return {
      recorded: {
        ...seen,
        status: isSilent ? 0 : 200,
        ...(fault === undefined ? {} : { fault }),
        ...(isObject(usage) ? { usage } : {}),
        ...(played.counts === undefined ? {} : { counts: played.counts }),
      },
      send: (response) => (seen.streamed ? sendStream(response, played.events, fault, protocol.errorEvent(OVERLOADED)) : sendWhole(response, played, fault)),
    };
  }

  return async (request, response) => {
    const { recorded, send } = await decide(request);
    record(recorded);
    await send(response);
  };
}

function refusal(seen: Seen, status: number, body: Json, more: Partial<RecordedRequest>, headers: Readonly<Record<string, string>> = NO_RETRY): Reply {
  return { recorded: { ...seen, status, error: errorText(body), ...more }, send: (response) => sendJson(response, status, body, headers) };
}

/** Replies with an error that the request did not cause. Without a stream, an error event becomes a status. */
function failure(seen: Seen, protocol: Protocol, fault: Fault = OVERLOADED): Reply {
  const status = typeof fault === "number" ? fault : OVERLOADED;
  return refusal(seen, status, protocol.errorBody(status), { fault }, RETRY_AT_ONCE);
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]));
}

/** Words the error as the provider that the client addresses. */
function notFound({ method = "GET", headers }: IncomingMessage, path: string): Json {
  if (headers["anthropic-version"] !== undefined) return { type: "error", error: { type: "not_found_error", message: `Not found: ${method} ${path}` } };
  return { error: { message: `Invalid URL (${method} ${path})`, type: "invalid_request_error", param: null, code: null } };
}

/** All providers have the message at the same path. */
function withMessage(body: Json, message: string): Json {
  return { ...body, error: { ...(isObject(body["error"]) ? body["error"] : {}), message } };
}

function errorText(body: Json): string {
  const error = body["error"];
  return isObject(error) && typeof error["message"] === "string" ? error["message"] : JSON.stringify(body);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
