import type { Proposal } from "../edits/edit.ts";
import type { TargetedLog } from "../stateless/render-once.ts";

/** Edits of this pass cannot be undone: that would show thinking that the provider refuses. */
export const STALE_PASS = "stale-thinking";

/**
 * Removes a response's thinking if the thread was changed between request and response: then the thinking is bound to messages that are
 * no longer sent (A4.8), or continues thinking that is gone (A4.1). In manual mode a turn cannot do without it (A4.2).
 */
export function staleThinking({ log, index, target }: TargetedLog, position: number): Proposal[] {
  const at = target.thinking === "manual" ? [] : index.thinking.filter((place) => place.position === position);
  const reason = "produced for a request that the thread has left behind";
  return at.length === 0 ? [] : [{ kind: "strip-blocks", at, pass: STALE_PASS, reason, madeAt: log.length }];
}
