import type { LogIndex } from "../messages/index-log.ts";
import type { Target } from "../messages/target.ts";

/**
 * A pass is a function `(log, edits, options) => Proposal[]`. It proposes edits and never applies them. No clock, no
 * randomness, no I/O: the same input gives the same proposals. `edits` are those already made; a pass proposes nothing for
 * a place that one of them has changed. Every pass gets this context besides its own options.
 */
export interface PassContext {
  /** The index of the same log: built once, read by every pass and by the view. */
  readonly index: LogIndex;
  readonly target: Target;
}
