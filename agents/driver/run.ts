import { startProviderDouble, type ProviderDouble, type RecordedRequest, type SeenRequest, type Turn } from "../../src/testing/index.ts";
import type { Agent, Ask, Place } from "./agent.ts";
import { startListener, type Listener } from "./listener.ts";
import { startAgent, startProxy, type Ended, type RunningAgent, type RunningProxy } from "./processes.ts";

/** Larger than what any of these agents believes to have. */
const WINDOW_TOKENS = 2_000_000;

export interface Session {
  readonly double: ProviderDouble;
  /** Undefined: the agent talks to the provider itself. */
  readonly proxy: RunningProxy | undefined;
  /** What the agent itself sent, where that was asked for. */
  readonly sent: readonly Uint8Array[];
  readonly ask: (ask: Ask) => Promise<Ended>;
  readonly start: (ask: Ask) => RunningAgent;
}

export interface SessionOptions {
  readonly agent: Agent;
  readonly place: Place;
  readonly script: (request: SeenRequest) => Turn | Promise<Turn>;
  /** Options of the proxy; undefined: no proxy. */
  readonly proxied: readonly string[] | undefined;
  readonly compactsAt?: number;
  /** Whether `sent` is wanted. */
  readonly listens?: boolean;
  /** Kills the proxy before each request that comes while no other is under way, and starts a new one. */
  readonly restarts?: boolean;
}

/** Gives the agent a provider, with the proxy before it or not, and takes both away in the end. */
export async function withSession<T>(
  { agent, place, script, proxied, compactsAt, listens = false, restarts = false }: SessionOptions,
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const double = await startProviderDouble({ script, windowTokens: WINDOW_TOKENS });
  let proxy: RunningProxy | undefined;
  let listener: Listener | undefined;
  const agents: RunningAgent[] = [];
  try {
    proxy = proxied === undefined ? undefined : await startProxy(double.url, proxied);
    if (listens || restarts) listener = await startListener(proxy?.url ?? double.url, restarts ? proxy?.restart : undefined);
    const url = listener?.url ?? proxy?.url ?? double.url;
    agent.setUp(place, url, { compactsAt });
    const start = (ask: Ask): RunningAgent => {
      const started = startAgent(agent, place, url, ask);
      agents.push(started);
      return started;
    };
    return await use({ double, proxy, sent: listener?.bodies ?? [], start, ask: (ask) => start(ask).ended });
  } finally {
    agents.forEach(({ kill }) => kill());
    await listener?.close();
    await proxy?.stop();
    await double.close();
  }
}

/** Requests for an answer, without probes and counts. */
export function answered({ requests }: ProviderDouble): readonly RecordedRequest[] {
  return requests.filter(({ protocol, path }) => protocol !== undefined && !path.endsWith("/count_tokens"));
}

export function sentBytes(requests: readonly RecordedRequest[]): number {
  return requests.reduce((sum, { raw }) => sum + raw.length, 0);
}
