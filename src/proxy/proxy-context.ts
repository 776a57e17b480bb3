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
  /** Undefined: all bodies are read here. */
  readonly large: LargeBodies | undefined;
  /** Counts what happened, and says it. */
  readonly happened: (event: ProxyEvent) => void;
  /** Counts a failure of ours, and says it. */
  readonly failed: (stage: FailureStage, error: unknown, path: string) => void;
}

/** Of all calls so far, whichever thread has answered them. */
export function metricsOf({ engine, large }: ProxyContext): CallMetrics {
  return sumOfMetrics(engine.metrics(), large?.metrics ?? NO_METRICS);
}
