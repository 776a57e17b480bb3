import { invalid } from "../../errors/palimpsest-error.ts";
import type { FrontEnd } from "../front-end/front-end.ts";
import type { KnownConversation } from "../front-end/known-conversation.ts";
import type { CallMetrics } from "../front-end/metrics.ts";

/** What a wrapped client has beside its own methods. */
export interface Palimpsest {
  readonly palimpsest: {
    /** Of all calls so far: tokens, cache, dollars, and what the same calls would have cost without. */
    metrics(): CallMetrics;
    /** The conversations in memory, the one that was used last first. One that only its store has comes back with its next request. */
    conversations(): KnownConversation[];
    /** Fulfilled when all that has happened so far is in the store. Rejected if it cannot be written: it stays in memory, and is tried again. */
    saved(): Promise<void>;
    /** Waits a few seconds until all is saved, and closes the store if it was opened for this client. Rejected: it says of how many conversations something is lost. */
    close(): Promise<void>;
  };
}

export function palimpsestOf(frontEnd: FrontEnd): Palimpsest {
  return {
    palimpsest: {
      metrics: () => frontEnd.metrics(),
      conversations: () => frontEnd.conversations(),
      saved: () => frontEnd.saved(),
      close: () => frontEnd.close(),
    },
  };
}

interface Reconfigurable {
  readonly withOptions: (options: object) => object;
}

/** A copy of the client with other options: the SDKs make it, so that everything else of the client stays as it is. */
export function reconfigured<C extends object>(client: C, options: object, frontEnd: FrontEnd): C & Palimpsest {
  const copy = (client as Reconfigurable).withOptions(options) as C;
  return Object.assign(copy, palimpsestOf(frontEnd));
}

/** Is it what the SDK makes? Whatever else it is, nothing could be put between it and the provider. */
export function requireClient(client: unknown, expected: string, looksRight: (client: object) => boolean): void {
  const isClient = typeof client === "object" && client !== null && "withOptions" in client && typeof client.withOptions === "function" && looksRight(client);
  if (!isClient) throw invalid("INVALID_INPUT", "client", expected, client);
}
