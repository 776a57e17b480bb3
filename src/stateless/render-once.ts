import { arrangeProposals } from "../edits/arrange.ts";
import type { Proposal } from "../edits/edit.ts";
import type { Message } from "../messages/message.ts";
import { parseLog } from "../messages/parse-messages.ts";
import { parseTarget, type Target } from "../messages/target.ts";
import type { PassContext } from "../passes/pass.ts";

/** Messages, parsed and indexed once, and what the model accepts. */
export interface TargetedLog extends PassContext {
  readonly log: readonly Message[];
}

export function parseTargetedLog(messages: readonly Message[], target: Partial<Target> | undefined, path?: string): TargetedLog {
  return { ...parseLog(messages), target: parseTarget(target, path) };
}

/** Renders a view for a stateless function, which knows no earlier calls: the model saw the messages unshortened, so all edits are new to it. */
export function renderOnce({ log, index, target }: TargetedLog, proposals: readonly Proposal[]): Message[] {
  return proposals.length === 0 ? [...log] : arrangeProposals(log, index, proposals, { ...target, seenFrom: log.length }).messages;
}
