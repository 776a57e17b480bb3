import type { PrunerStrategy } from "../../passes/prune-turns/prune-turns.ts";
import { pruneMessages } from "../../stateless/prune-messages.ts";
import type { ReplayPolicy } from "../replay-policy.ts";
import { targetOf } from "./target-of.ts";

/** At the start of each call, drops whole messages. */
export function prune(name: string, strategy: PrunerStrategy, maxTurns: number): ReplayPolicy {
  return {
    name,
    start: () => ({ next: (log, step) => ({ messages: pruneMessages(log, { strategy, maxTurns }, targetOf(step)), recoverable: [] }) }),
  };
}
