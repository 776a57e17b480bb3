import type { PolicyOptions } from "../../../src/policy/policy-options.ts";
import { preset } from "../../../src/replay/policies/preset.ts";
import type { ReplayPolicy } from "../../../src/replay/replay-policy.ts";

/** All policies are measured without thinking that is bound to its prefix. */
export function ours(name: string, options: PolicyOptions): ReplayPolicy {
  return preset(name, { target: { bindsThinking: false }, ...options });
}

/** For tuning: `OURS='{"name": {…options}}'`. */
export const VARIANTS: readonly ReplayPolicy[] = Object.entries(JSON.parse(process.env["OURS"] ?? "{}") as Record<string, PolicyOptions>).map(
  ([name, options]) => ours(name, options),
);
