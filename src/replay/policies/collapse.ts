import { collapseToolChains } from "../../stateless/collapse-tool-chains.ts";
import type { ReplayPolicy } from "../replay-policy.ts";
import { targetOf } from "./target-of.ts";

/** At the start of each call, each round with more than N messages after it becomes a line that says how many follow it. */
export function collapse(name: string, collapseAfterTurns: number): ReplayPolicy {
  return {
    name,
    start: () => ({ next: (log, step) => ({ messages: collapseToolChains(log, { collapseAfterTurns }, targetOf(step)), recoverable: [] }) }),
  };
}
