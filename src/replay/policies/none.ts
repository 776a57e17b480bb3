import type { ReplayPolicy } from "../replay-policy.ts";

/** The full conversation, against which every other policy is measured. */
export function none(): ReplayPolicy {
  return { name: "none", start: () => ({ next: (log) => ({ messages: log, recoverable: [] }) }) };
}
