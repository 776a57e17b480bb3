import type { CallContext } from "../agent/calls/call-context.ts";
import type { PassedCall } from "../agent/calls/passed-call.ts";
import type { Sent } from "../agent/front-end/exchange.ts";
import type { Transport } from "../agent/front-end/front-end.ts";
import type { CallMetrics } from "../agent/front-end/metrics.ts";
import type { ApiName } from "./api.ts";

/** One request of a client's. */
export interface EngineCall {
  readonly api: ApiName;
  readonly body: object;
  readonly context: CallContext;
  /** The client went away: nothing more will be sent, and what is under way fails. */
  readonly signal: AbortSignal;
  readonly transport: Transport<object, object, object>;
}

/** What decides about conversations. The proxy carries bytes, and asks it what to send. */
export interface Engine {
  readonly policies: readonly string[];
  send(call: EngineCall): Promise<Sent<object>>;
  stream(call: EngineCall): Promise<Sent<AsyncIterable<object>>>;
  /** What would be sent, where the messages go on with a conversation that is known here. Nothing is taken in. */
  preview(call: Pick<EngineCall, "api" | "body" | "context">): Promise<object | undefined>;
  /** Takes note of a request that is over, and was not read. */
  passed(call: PassedCall): void;
  /** Forgets what nobody has used since. */
  retain(olderThanMs: number): Promise<void>;
  metrics(): CallMetrics;
  /** Fulfilled when all that has happened so far is stored. */
  saved(): Promise<void>;
  /** Undefined: ready. Else why not: `/readyz` says so. */
  whyNotReady(): string | undefined;
  /** Rejected: what is not stored within this time is lost. */
  close(maxMs: number): Promise<void>;
}
