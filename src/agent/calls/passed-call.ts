import type { CallContext } from "./call-context.ts";
import type { CallRecord } from "./call-record.ts";

/** A request that went on as it came, without anybody reading it. */
export interface PassedCall {
  readonly api: CallRecord["api"];
  readonly context: CallContext;
  /** Why: as in a record. */
  readonly nothing: string;
  /** Requests upstream; 0: it did not come so far. */
  readonly requests: number;
  /** What the client got; 0: nothing. */
  readonly status: number;
  readonly totalMs: number;
  /** Undefined: no answer began. */
  readonly firstByteMs: number | undefined;
}
