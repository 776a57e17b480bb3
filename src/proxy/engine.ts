import type { Sent } from "../agent/front-end/exchange.ts";
import type { Transport } from "../agent/front-end/front-end.ts";
import type { CallMetrics } from "../agent/front-end/metrics.ts";
import type { ApiName } from "./api.ts";

/** What a request says about the conversation that it belongs to, beside its messages. All of it may be missing, or wrong. */
export interface ConversationHints {
  /** The client names the conversation itself: `x-palimpsest-thread`. */
  readonly thread: string | undefined;
  readonly session: string | undefined;
  /** A sub-agent of the session. */
  readonly agent: string | undefined;
  readonly parentSession: string | undefined;
}

/** What the engine says about a call, as soon as it knows. */
export interface CallReport {
  readonly thread?: string;
  /** Of what is sent, and of what the client's own messages would be. */
  readonly tokens?: { readonly sent: number; readonly full: number };
  /** Why the client's own messages are sent. */
  readonly nothing?: string;
}

/** One request of a client's. */
export interface EngineCall {
  readonly api: ApiName;
  readonly body: object;
  /** Conversations of different owners know nothing of each other. */
  readonly owner: string;
  readonly hints: ConversationHints;
  /** Undefined: the proxy's own. One that `policies` names. */
  readonly policy: string | undefined;
  /** What is sent is the client's own request, whatever the engine asks for. */
  readonly observe: boolean;
  /** The client went away: nothing more will be sent, and what is under way fails. */
  readonly signal: AbortSignal;
  readonly transport: Transport<object, object, object>;
  readonly report: (report: CallReport) => void;
}

/** What decides about conversations. The proxy carries bytes, and asks it what to send. */
export interface Engine {
  readonly policies: readonly string[];
  send(call: EngineCall): Promise<Sent<object>>;
  stream(call: EngineCall): Promise<Sent<AsyncIterable<object>>>;
  metrics(): CallMetrics;
  /** Undefined: ready. Else why not: `/readyz` says so. */
  whyNotReady(): string | undefined;
  close(): Promise<void>;
}
