import type { ReplayPolicy } from "../replay-policy.ts";

/** The full context: what every other policy is measured against. */
export function none(): ReplayPolicy {
  return { name: "none", start: () => ({ next: (log) => ({ messages: log, recoverable: [] }) }) };
}
