import type { FrontEndEvent } from "../agent/front-end/front-end-event.ts";
import type { ApiName, Provider } from "./api.ts";

/** The outcome of one request. Contains nothing from the messages or from headers with keys. */
export interface CallRecord {
  readonly provider: Provider;
  /** Undefined: the request was not read. */
  readonly api: ApiName | undefined;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** 0: the client got no answer. */
  readonly status: number;
  readonly thread: string | undefined;
  /** Size of the client's body, and of the body that was sent in its place; equal if nothing was changed. */
  readonly receivedBytes: number;
  readonly sentBytes: number;
  /** Requests that were sent upstream for it. */
  readonly requests: number;
  /** Why the client's own bytes were sent. Undefined: they were not. */
  readonly nothing: string | undefined;
  /** `--observe`: how many bytes would have been sent. */
  readonly observedBytes: number | undefined;
  readonly totalMs: number;
  /** Time until the answer began. Undefined: it never did. */
  readonly firstByteMs: number | undefined;
}

/** Which part of the proxy failed. */
export type FailureStage = "engine" | "splice" | "stream" | "internal";

export type ProxyEvent =
  | { readonly type: "call"; readonly call: CallRecord }
  /** The proxy itself failed: the client's own bytes were sent, or the answer ended with an error. */
  | { readonly type: "failed"; readonly stage: FailureStage; readonly error: unknown; readonly path: string }
  | { readonly type: "engine"; readonly event: FrontEndEvent };
