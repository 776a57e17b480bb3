import type { Proposal } from "../edits/edit.ts";

/** The tokens of what proposals show, if they were counted. */
export type Measured = WeakMap<Proposal, number>;
