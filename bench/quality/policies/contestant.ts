import type { MeasuredPolicy } from "../measure/measure-policy.ts";
import type { PreparedTrajectory } from "../measure/prepare.ts";
import { TOKEN_COUNTERS, type TokensOfBlock } from "../measure/token-counters.ts";

/** A policy that takes part. */
export interface Contestant {
  readonly name: string;
  readonly kind: "control" | "baseline" | "seed" | "peer" | "ours";
  /** Tokens of the tools that it adds to every request. */
  readonly schemaTokens?: number;
  /** Creates the policy for one trajectory. Only controls look at the trajectory: they may know the future, and say so. */
  readonly policyFor: (trajectory: PreparedTrajectory) => MeasuredPolicy;
}

/** A policy that counts tokens counts them as the run does. */
export function countingContestant(kind: Contestant["kind"], make: (tokensOf: TokensOfBlock) => MeasuredPolicy): Contestant {
  return { name: make(TOKEN_COUNTERS.estimate).name, kind, policyFor: ({ tokensOf }) => make(tokensOf) };
}

export function contestant(kind: Contestant["kind"], policy: MeasuredPolicy, schemaTokens = 0): Contestant {
  return { name: policy.name, kind, schemaTokens, policyFor: () => policy };
}
