import type { Message } from "../messages/message.ts";

/** What is known of a model call beside the messages before it. */
export interface ReplayStep {
  readonly model: string;
  /** Of system, tools and what else stands before the messages: another hash means that nothing of the cache is left. */
  readonly headHash: string;
  readonly atMs?: number;
}

/** A handle that the view names, and what it gives back. */
export interface Recoverable {
  readonly handle: string;
  readonly text: string;
}

export interface PolicyView {
  readonly messages: readonly Message[];
  /** Only handles that the messages name, by themselves or in a range of parts (`7f3kq20x-1…-40` names `7f3kq20x-3`). */
  readonly recoverable: readonly Recoverable[];
}

/** A policy at work on one conversation, strictly online: it sees what lies before each call and keeps its state from call to call. */
export interface PolicyRun {
  /** The view for the next model call. `log` is what lies before it: the one of the call before it and more. It is not changed. */
  next(log: readonly Message[], step: ReplayStep): PolicyView;
}

export interface ReplayPolicy {
  readonly name: string;
  start(): PolicyRun;
}
