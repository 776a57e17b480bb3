import type { ParsedPolicy } from "./policy-options.ts";

/**
 * The options with which a policy does only what loses nothing, for a conversation in which nobody can fetch back what is cut. It tidies results when they
 * come in, and drops what was read again later, as long as that is shown whole. No limit is kept then, neither a budget's nor that of the model's window.
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
