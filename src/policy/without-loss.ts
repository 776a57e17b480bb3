import type { ParsedPolicy } from "./policy-options.ts";

/**
 * Returns options that limit a policy to lossless changes, for a conversation in which nobody can fetch back what is cut. It tidies results when they
 * come in, and drops results that were read again later, if the later one is shown whole. It enforces no limit, neither a budget nor the model's window.
 */
export function withoutLoss(options: ParsedPolicy): ParsedPolicy {
  const tools = Object.entries(options.tools).flatMap(([name, { protect }]) => (protect === undefined ? [] : [[name, { protect }] as const]));
  return {
    ...options,
    lossless: true,
    firstSightTokens: 0,
    firstSightFileTokens: 0,
    inputTokens: 0,
    highTokens: 0,
    lowTokens: 0,
    digestTokens: 0,
    tools: Object.fromEntries(tools),
  };
}
