import type { CallContext } from "./call-context.ts";
import type { CallRecord } from "./call-record.ts";

/** A request that was passed on unread. */
export interface PassedCall {
  readonly api: CallRecord["api"];
  readonly context: CallContext;
  /** The reason, as in `CallRecord`. */
  readonly nothing: string;
  /** Requests upstream; 0: it did not get that far. */
  readonly requests: number;
  /** The status that the client got; 0: no answer. */
  readonly status: number;
  readonly totalMs: number;
  /** Undefined: no answer began. */
  readonly firstByteMs: number | undefined;
}
