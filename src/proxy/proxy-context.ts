import { NO_METRICS, sumOfMetrics, type CallMetrics } from "../agent/front-end/metrics.ts";
import type { Counters } from "./counters.ts";
import type { Engine } from "./engine.ts";
import type { Upstreams } from "./http/upstreams.ts";
import type { LargeBodies } from "./large/large-bodies.ts";
import type { FailureStage, ProxyEvent } from "./proxy-event.ts";
import type { ParsedProxyOptions } from "./proxy-options.ts";
import type { RequestReader } from "./request-reader.ts";

/** What all requests of a proxy share. */
export interface ProxyContext {
  readonly options: ParsedProxyOptions;
  readonly engine: Engine;
  readonly upstreams: Upstreams;
  readonly counters: Counters;
  readonly reader: RequestReader;
  /** Undefined: all bodies are read in this thread. */
  readonly large: LargeBodies | undefined;
  /** Counts an event, and passes it to `onEvent`. */
  readonly happened: (event: ProxyEvent) => void;
  /** Counts a failure of the proxy, and passes it to `onEvent`. */
  readonly failed: (stage: FailureStage, error: unknown, path: string) => void;
}

/** Returns the metrics of all calls so far, in all threads. */
export function metricsOf({ engine, large }: ProxyContext): CallMetrics {
  return sumOfMetrics(engine.metrics(), large?.metrics ?? NO_METRICS);
}
