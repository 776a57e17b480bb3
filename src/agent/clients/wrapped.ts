import { invalid } from "../../errors/palimpsest-error.ts";
import type { FrontEnd } from "../front-end/front-end.ts";
import type { KnownConversation } from "../front-end/known-conversation.ts";
import type { CallMetrics } from "../front-end/metrics.ts";

/** What a wrapped client has besides its own methods. */
export interface Palimpsest {
  readonly palimpsest: {
    /** Returns tokens, cache and dollars of all calls so far, and what they would have cost without the wrapper. */
    metrics(): CallMetrics;
    /** Returns the conversations in memory, most recently used first. One that is only in the store is loaded with its next request. */
    conversations(): KnownConversation[];
    /** Fulfilled when everything so far is stored. Rejects if it cannot be written: it stays in memory, and is retried. */
    saved(): Promise<void>;
    /** Waits up to 5 seconds until everything is saved, then closes the store if it was opened for this client. Rejects if something is lost, and says in how many conversations. */
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

/** Returns a copy of the client with other options, made by the SDK itself so that everything else of the client stays as it is. */
export function reconfigured<C extends object>(client: C, options: object, frontEnd: FrontEnd): C & Palimpsest {
  const copy = (client as Reconfigurable).withOptions(options) as C;
  return Object.assign(copy, palimpsestOf(frontEnd));
}

/** Throws unless it is a client of the SDK: no other object can be wrapped. */
export function requireClient(client: unknown, expected: string, looksRight: (client: object) => boolean): void {
  const isClient = typeof client === "object" && client !== null && "withOptions" in client && typeof client.withOptions === "function" && looksRight(client);
  if (!isClient) throw invalid("INVALID_INPUT", "client", expected, client);
}
