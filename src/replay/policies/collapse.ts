import { collapseToolChains } from "../../stateless/collapse-tool-chains.ts";
import type { ReplayPolicy } from "../replay-policy.ts";
import { targetOf } from "./target-of.ts";

/** At the start of each call, rounds with more than so many messages behind them become a line each, which says how many. */
export function collapse(name: string, collapseAfterTurns: number): ReplayPolicy {
  return {
    name,
    start: () => ({ next: (log, step) => ({ messages: collapseToolChains(log, { collapseAfterTurns }, targetOf(step)), recoverable: [] }) }),
  };
}
