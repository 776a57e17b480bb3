import type { Fault, InputCounts, ProtocolName } from "./protocol.ts";

/** What came to the double, and what it did with it. */
export interface RecordedRequest {
  /** Undefined where nothing answers at this path. */
  readonly protocol: ProtocolName | undefined;
  /** Without its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Empty where it was not a JSON object. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as it came; empty where it was too large. */
  readonly raw: Uint8Array;
  readonly streamed: boolean;
  /** 0: none was sent, because the connection was cut or hangs. */
  readonly status: number;
  /** The rule of the provider that the request breaks, such as "A2.1". */
  readonly rule?: string;
  /** The text of the error that was sent. */
  readonly error?: string;
  readonly fault?: Fault;
  /** As it was reported, in the provider's own names. */
  readonly usage?: Readonly<Record<string, unknown>>;
  readonly counts?: InputCounts;
}
