import type { Trajectory } from "../formats/transcripts/load-transcript.ts";
import type { Message } from "../messages/message.ts";
import { recordedCalls, type RecordedCall } from "./recorded-calls.ts";
import { replayHead } from "./replay-head.ts";
import type { PolicyView, ReplayPolicy } from "./replay-policy.ts";
import { SameMessages } from "./same-messages.ts";

export interface ReplayOptions {
  /** Replaces the models that the file names. */
  readonly model?: string;
}

/** A recorded call of the model, with what a policy would have sent for it. */
export interface ReplayedCall extends RecordedCall {
  /** Counts calls from 0. */
  readonly step: number;
  /** The messages before it, without the head. */
  readonly log: readonly Message[];
  /** A message that equals one of the previous view is the same object. */
  readonly view: PolicyView;
  /** The number of messages at the start that it shares with the previous view. */
  readonly kept: number;
  /** True if the previous view is not a prefix of this one. */
  readonly isRewrite: boolean;
  /** The last message that the last rewrite changed. Everything up to its end will most likely stay as it is. */
  readonly frontier?: number;
  /** The number of messages that are neither in the log nor in the previous view: newly shortened or added. */
  readonly edits: number;
}

/** Plays a recording call by call: the policy sees only the messages before each call. */
export function* replayTrajectory(trajectory: Trajectory, policy: ReplayPolicy, options: ReplayOptions = {}): Generator<ReplayedCall, void> {
  const head = replayHead(trajectory);
  const run = policy.start();
  const same = new SameMessages(trajectory.log);
  let before: readonly Message[] = [];
  let frontier = -1;
  let step = 0;
  for (const recorded of recordedCalls(trajectory, head.messages, options.model)) {
    const { position, model, atMs } = recorded;
    const log = trajectory.log.slice(head.messages, position);
    const { messages, recoverable } = run.next(log, { model, headHash: head.id, ...(atMs === undefined ? {} : { atMs }) });
    const view = same.of(messages);
    const kept = sharedLength(before, view);
    const isRewrite = kept < before.length;
    const known = new Set(before);
    const edited = [...view.keys()].filter((number) => isEdited(view[number], known, same));
    // Messages past the length of the previous view arrived with this call, and may still be shortened.
    if (isRewrite) frontier = edited.findLast((number) => number < before.length) ?? -1;
    const stays = frontier === -1 ? {} : { frontier };
    yield { ...recorded, step, log, view: { messages: view, recoverable }, kept, isRewrite, edits: edited.length, ...stays };
    before = view;
    step++;
  }
}

function sharedLength(before: readonly Message[], view: readonly Message[]): number {
  const differs = view.findIndex((message, number) => message !== before[number]);
  return differs === -1 ? view.length : differs;
}

function isEdited(message: Message | undefined, known: ReadonlySet<Message>, same: SameMessages): boolean {
  return message !== undefined && !same.isOfLog(message) && !known.has(message);
}
