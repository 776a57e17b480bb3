import type { IncomingHttpHeaders } from "node:http";
import type { CallContext } from "../agent/calls/call-context.ts";
import type { PassedCall } from "../agent/calls/passed-call.ts";
import { clientOf, hintsOf } from "./conversation-hints.ts";
import { ownerUnread } from "./owner.ts";
import type { CallRecord } from "./proxy-event.ts";
import type { ParsedProxyOptions } from "./proxy-options.ts";

/** Reasons for not reading a request of a conversation. */
const UNREAD: ReadonlySet<string> = new Set(["bypass", "too-large", "unreadable"]);

/** Returns the record of a request that was not read. Undefined: it was read, or only its body could tell its owner. */
export function passedCall(headers: IncomingHttpHeaders, options: ParsedProxyOptions, call: CallRecord): PassedCall | undefined {
  const { api, nothing, requests, status, totalMs, firstByteMs, method, path, receivedBytes, sentBytes } = call;
  const owner = ownerUnread(options);
  if (api === undefined || nothing === undefined || !UNREAD.has(nothing) || owner === undefined) return undefined;
  // A piped body was not counted: its size is what the client says.
  const length = Number(headers["content-length"] ?? 0);
  const hints = hintsOf(headers, {});
  const own: CallContext = {
    owner,
    hints,
    client: clientOf(headers, hints),
    policy: undefined,
    observe: options.observe,
    method,
    path,
    bytes: () => ({ received: receivedBytes === 0 ? length : receivedBytes, sent: sentBytes === 0 ? length : sentBytes }),
    onView: () => undefined,
  };
  return { api, context: own, nothing, requests, status, totalMs, firstByteMs };
}
