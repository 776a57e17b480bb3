import type { FrontEndEvent } from "../agent/front-end/front-end-event.ts";
import { createFrontEnd } from "../agent/front-end/front-end.ts";
import { PRESETS, type PresetName } from "../policy/policy-options.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { WIRES } from "./api.ts";
import type { Engine } from "./engine.ts";

export interface FrontEndEngineOptions {
  readonly policy: PresetName;
  /** `auto`: `recall` only. */
  readonly tools: "auto" | "all" | "off";
  readonly store: string | Store;
  readonly redact: string | undefined;
  readonly maxMemoryMb: number;
  readonly onEvent: (event: FrontEndEvent) => void;
}

/** Uses the front end of the wrapped clients as the proxy's engine. With `observe`, a call runs as usual, but its view is not sent. */
export function createFrontEndEngine({ policy, tools, store, redact, maxMemoryMb, onEvent }: FrontEndEngineOptions): Engine {
  const frontEnd = createFrontEnd(
    { policy, compact: tools === "all", recall: tools !== "off", store, ...(redact === undefined ? {} : { redact }), maxMemoryMb, onEvent },
    (address) =>
      // A killed proxy loses nothing; a machine that loses power may lose the last calls.
      openStore(address, { durability: "normal" }),
  );
  return {
    policies: Object.keys(PRESETS),
    send: ({ api, body, transport, context }) => frontEnd.send(WIRES[api], body, transport, context),
    stream: ({ api, body, transport, context }) => frontEnd.stream(WIRES[api], body, transport, context),
    preview: ({ api, body, context }) => frontEnd.preview(WIRES[api], body, context),
    passed: (call) => frontEnd.passed(call),
    retain: (olderThanMs) => frontEnd.retain(olderThanMs),
    metrics: () => frontEnd.metrics(),
    saved: () => frontEnd.saved(),
    whyNotReady: () => frontEnd.whyNotReady(),
    close: (maxMs) => frontEnd.close(maxMs),
  };
}
