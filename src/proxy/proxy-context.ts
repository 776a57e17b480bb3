import type { Counters } from "./counters.ts";
import type { Engine } from "./engine.ts";
import type { Upstreams } from "./http/upstreams.ts";
import type { FailureStage } from "./proxy-event.ts";
import type { ParsedProxyOptions } from "./proxy-options.ts";

/** What all requests of a proxy share. */
export interface ProxyContext {
  readonly options: ParsedProxyOptions;
  readonly engine: Engine;
  readonly upstreams: Upstreams;
  readonly counters: Counters;
  /** Counts a failure of ours, and says it. */
  readonly failed: (stage: FailureStage, error: unknown, path: string) => void;
}
