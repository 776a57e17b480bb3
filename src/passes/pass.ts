import type { LogIndex } from "../messages/index-log.ts";
import type { Target } from "../messages/target.ts";

/**
 * A pass is a function `(log, edits, options) => Proposal[]`. It proposes edits and never applies them. No clock, no
 * randomness, no I/O: the same input gives the same proposals. `edits` are those already made; a pass proposes nothing for
 * what one of them shows already. This is what every pass is told besides its own options.
 */
export interface PassContext {
  /** Of the same log: made once, read by every pass and by the view. */
  readonly index: LogIndex;
  readonly target: Target;
}
