import type { Message } from "../messages/message.ts";

/** What is known about a model call besides the messages before it. */
export interface ReplayStep {
  readonly model: string;
  /** The hash of everything before the messages, such as system and tools. If it changes, nothing is cached any more. */
  readonly headHash: string;
  readonly atMs?: number;
}

/** A handle that the view names, and its original. */
export interface Recoverable {
  readonly handle: string;
  readonly text: string;
}

export interface PolicyView {
  readonly messages: readonly Message[];
  /** Only handles that the messages name, directly or in a range of parts (`7f3kq20x-1…-40` names `7f3kq20x-3`). */
  readonly recoverable: readonly Recoverable[];
}

/** A policy that runs on one conversation, strictly online: it sees the messages before each call and keeps its state between calls. */
export interface PolicyRun {
  /** Returns the view for the next model call. `log` extends the log of the previous call. It is not changed. */
  next(log: readonly Message[], step: ReplayStep): PolicyView;
}

export interface ReplayPolicy {
  readonly name: string;
  start(): PolicyRun;
}
