import type { CallContext } from "../agent/calls/call-context.ts";
import type { PassedCall } from "../agent/calls/passed-call.ts";
import type { Sent } from "../agent/front-end/exchange.ts";
import type { Transport } from "../agent/front-end/front-end.ts";
import type { CallMetrics } from "../agent/front-end/metrics.ts";
import type { ApiName } from "./api.ts";

/** One request of a client. */
export interface EngineCall {
  readonly api: ApiName;
  readonly body: object;
  readonly context: CallContext;
  /** Aborted when the client goes away: nothing more will be sent, and requests in progress fail. */
  readonly signal: AbortSignal;
  readonly transport: Transport<object, object, object>;
}

/** Decides what to send for a conversation. The proxy only carries bytes. */
export interface Engine {
  readonly policies: readonly string[];
  send(call: EngineCall): Promise<Sent<object>>;
  stream(call: EngineCall): Promise<Sent<AsyncIterable<object>>>;
  /** Returns what would be sent, if the messages continue a known conversation. Changes nothing. */
  preview(call: Pick<EngineCall, "api" | "body" | "context">): Promise<object | undefined>;
  /** Records a request that is over and was not read. */
  passed(call: PassedCall): void;
  /** Deletes what has not been used since. */
  retain(olderThanMs: number): Promise<void>;
  metrics(): CallMetrics;
  /** Fulfilled when everything so far is stored. */
  saved(): Promise<void>;
  /** Returns why it is not ready, for `/readyz`. Undefined: ready. */
  whyNotReady(): string | undefined;
  /** Rejects if something could not be stored within this time and is lost. */
  close(maxMs: number): Promise<void>;
}
