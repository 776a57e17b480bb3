import type { FrontEndEvent } from "../agent/front-end/front-end-event.ts";
import type { ApiName, Provider } from "./api.ts";

/** What became of one request. Nothing in it is from the messages, or from a header that holds a key. */
export interface CallRecord {
  readonly provider: Provider;
  /** Undefined: it was not read. */
  readonly api: ApiName | undefined;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** 0: the client got none. */
  readonly status: number;
  readonly thread: string | undefined;
  /** Of the client's body, and of what was sent instead; the same where nothing was changed. */
  readonly receivedBytes: number;
  readonly sentBytes: number;
  /** Requests that it took upstream. */
  readonly requests: number;
  /** Why the client's own bytes were sent; undefined: they were not. */
  readonly nothing: string | undefined;
  /** `--observe`: how many bytes would have been sent. */
  readonly observedBytes: number | undefined;
  readonly totalMs: number;
  /** Until the answer began; undefined: it never did. */
  readonly firstByteMs: number | undefined;
}

/** Where something of ours failed. */
export type FailureStage = "engine" | "splice" | "stream" | "internal";

export type ProxyEvent =
  | { readonly type: "call"; readonly call: CallRecord }
  /** Something of ours went wrong: the client's own bytes were sent, or the answer ended with an error. */
  | { readonly type: "failed"; readonly stage: FailureStage; readonly error: unknown; readonly path: string }
  | { readonly type: "engine"; readonly event: FrontEndEvent };
