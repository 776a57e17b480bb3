import type { CallMetrics } from "../agent/front-end/metrics.ts";
import type { CallRecord, FailureStage } from "./proxy-event.ts";

/** The proxy's metrics, in the format of Prometheus. */
export interface Counters {
  call(call: CallRecord): void;
  failed(stage: FailureStage | "view" | "answer" | "store"): void;
  /** Called when a request starts (1) and when it ends (-1). */
  running(change: 1 | -1): void;
  text(engine: CallMetrics): string;
}

interface Family {
  readonly help: string;
  readonly kind: "counter" | "gauge";
}

const FAMILIES = {
  palimpsest_requests_total: { help: "Client requests, by API and status.", kind: "counter" },
  palimpsest_unchanged_total: { help: "Requests for which nothing new was done, by reason.", kind: "counter" },
  palimpsest_failures_total: { help: "Failures of the proxy itself; the client's own bytes were sent instead.", kind: "counter" },
  palimpsest_received_bytes_total: { help: "Bytes of request bodies that were read.", kind: "counter" },
  palimpsest_sent_bytes_total: { help: "Bytes of the bodies that were sent in their place.", kind: "counter" },
  palimpsest_upstream_requests_total: { help: "Requests sent to a provider.", kind: "counter" },
  palimpsest_running: { help: "Requests in progress.", kind: "gauge" },
  palimpsest_tokens_total: { help: "Tokens as providers reported them; full: what the clients' own messages would have been.", kind: "counter" },
  palimpsest_dollars_saved: { help: "What the calls would have cost with the clients' own messages, minus what they cost.", kind: "gauge" },
} as const satisfies Readonly<Record<string, Family>>;

type Name = keyof typeof FAMILIES;

export function createCounters(): Counters {
  const values = new Map<Name, Map<string, number>>(Object.keys(FAMILIES).map((name) => [name as Name, new Map()]));
  const add = (name: Name, by: number, labels: Readonly<Record<string, string | number>> = {}): void => {
    const family = values.get(name);
    const key = labelsOf(labels);
    family?.set(key, (family.get(key) ?? 0) + by);
  };
  add("palimpsest_running", 0);
  return {
    call: ({ api, provider, status, nothing, receivedBytes, sentBytes, requests }) => {
      add("palimpsest_requests_total", 1, { api: api ?? "other", provider, status });
      if (nothing !== undefined) add("palimpsest_unchanged_total", 1, { reason: nothing });
      add("palimpsest_received_bytes_total", receivedBytes);
      add("palimpsest_sent_bytes_total", sentBytes);
      add("palimpsest_upstream_requests_total", requests, { provider });
    },
    failed: (stage) => add("palimpsest_failures_total", 1, { stage }),
    running: (change) => add("palimpsest_running", change),
    text: (engine) => {
      const now = new Map(values);
      now.set("palimpsest_tokens_total", tokensOf(engine));
      now.set("palimpsest_dollars_saved", new Map([["", engine.dollarsSaved]]));
      return [...now].flatMap(([name, family]) => linesOf(name, family)).join("\n") + "\n";
    },
  };
}

function tokensOf({ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, fullTokens }: CallMetrics): Map<string, number> {
  const kinds = { input: inputTokens, cache_read: cacheReadTokens, cache_write: cacheWriteTokens, output: outputTokens, full: fullTokens };
  return new Map(Object.entries(kinds).map(([kind, tokens]) => [labelsOf({ kind }), tokens]));
}

function linesOf(name: Name, family: ReadonlyMap<string, number>): string[] {
  const { help, kind } = FAMILIES[name];
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`, ...[...family].map(([labels, value]) => `${name}${labels} ${value}`)];
}

/** The values are our own names: none has a character that needs escaping. */
function labelsOf(labels: Readonly<Record<string, string | number>>): string {
  const entries = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return entries.length === 0 ? "" : `{${entries.join(",")}}`;
}
