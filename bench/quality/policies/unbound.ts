import type { ReplayPolicy } from "../../../src/replay/replay-policy.ts";

/** A model that binds no thinking to what stands before it, and whose tokens are those of the estimate. */
const UNBOUND_MODEL = "gpt-5";

/** The policy of the package, under another name and as for a model that binds nothing: all policies are judged without it. */
export function unbound(name: string, policy: ReplayPolicy): ReplayPolicy {
  return {
    name,
    start() {
      const run = policy.start();
      return { next: (log, step) => run.next(log, { ...step, model: UNBOUND_MODEL }) };
    },
  };
}
