import { createCompactor } from "../../conversation/compactor.ts";
import type { PolicyOptions } from "../../policy/policy-options.ts";
import type { ReplayPolicy } from "../replay-policy.ts";
import { NamedHandles } from "./named-handles.ts";

/** The policy of this package, as `createCompactor` runs it. */
export function preset(name: string, options: PolicyOptions): ReplayPolicy {
  return {
    name,
    start() {
      const compactor = createCompactor(options);
      const handles = new NamedHandles();
      return {
        next(log, step) {
          const { messages, edits } = compactor.next(log, step);
          handles.learn(log, edits);
          return { messages, recoverable: handles.namedIn(messages, log) };
        },
      };
    },
  };
}
