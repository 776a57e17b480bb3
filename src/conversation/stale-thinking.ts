import type { Proposal } from "../edits/edit.ts";
import type { OneCall } from "../stateless/render-once.ts";

/** Undoing it would show thinking that the provider refuses. */
export const STALE_PASS = "stale-thinking";

/**
 * The thread was changed between a request and its response: the response's thinking is bound to messages that are sent no more
 * (A4.8), or continues thinking that is gone (A4.1), and goes too. In manual mode a turn cannot do without it (A4.2).
 */
export function staleThinking({ log, index, target }: OneCall, position: number): Proposal[] {
  const at = target.thinking === "manual" ? [] : index.thinking.filter((place) => place.position === position);
  const reason = "produced for a request that the thread has left behind";
  return at.length === 0 ? [] : [{ kind: "strip-blocks", at, pass: STALE_PASS, reason, madeAt: log.length }];
}
