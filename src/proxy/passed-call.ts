import type { IncomingHttpHeaders } from "node:http";
import type { CallContext } from "../agent/calls/call-context.ts";
import type { PassedCall } from "../agent/calls/passed-call.ts";
import { clientOf, hintsOf } from "./conversation-hints.ts";
import { ownerUnread } from "./owner.ts";
import type { CallRecord } from "./proxy-event.ts";
import type { ParsedProxyOptions } from "./proxy-options.ts";

/** Why a request of a conversation is not read. */
const UNREAD: ReadonlySet<string> = new Set(["bypass", "too-large", "unreadable"]);

/** What is recorded of a request of a conversation that was not read. Undefined: it was, or only its body could say whose it is. */
export function passedCall(headers: IncomingHttpHeaders, options: ParsedProxyOptions, call: CallRecord): PassedCall | undefined {
  const { api, nothing, requests, status, totalMs, firstByteMs, method, path, receivedBytes, sentBytes } = call;
  const owner = ownerUnread(options);
  if (api === undefined || nothing === undefined || !UNREAD.has(nothing) || owner === undefined) return undefined;
  // Of what was only piped, the client alone knows how much it was.
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
