import type { Fault, InputCounts, ProtocolName } from "./protocol.ts";

/** A request to the double, and how it was answered. */
export interface RecordedRequest {
  /** Undefined if the path is unknown. */
  readonly protocol: ProtocolName | undefined;
  /** The path without the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Empty if the body was not a JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The original bytes of the body; empty if it was too large. */
  readonly raw: Uint8Array;
  readonly streamed: boolean;
  /** 0 if none was sent, because the connection was cut or hangs. */
  readonly status: number;
  /** The provider's rule that the request breaks, such as "A2.1". */
  readonly rule?: string;
  /** The text of the error that was sent. */
  readonly error?: string;
  readonly fault?: Fault;
  /** The reported usage, in the provider's own names. */
  readonly usage?: Readonly<Record<string, unknown>>;
  readonly counts?: InputCounts;
}
