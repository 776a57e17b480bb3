import { boolean, count, parseOptions, type FieldsOf } from "../errors/parse-options.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import type { Message } from "../messages/message.ts";
import { parseLog } from "../messages/parse-messages.ts";
import { TARGET_FIELDS, withDefaults, type Target } from "../messages/target.ts";
import { arrange, type Arrangement, type ArrangeTarget } from "./arrange.ts";
import type { Edit } from "./edit.ts";
import { sendable } from "./sendable.ts";

export type RenderTarget = Partial<Target> & {
  /** The length of the log from which on the model saw our views. Default 0. */
  readonly seenFrom?: number;
  /**
   * If the view would end with the assistant, add the user message `Continue with the task.`, so that it can be sent; in manual mode also
   * if an edit removed the thinking that an open loop needs (which ends the loop). Throws if that is impossible: `EMPTY_THREAD` if there is nothing
   * to send, `RESULTS_MISSING` if a call of the last response waits for its result, `LOOP_OPEN` if one waits for the provider's. Default false.
   */
  readonly sendable?: boolean;
};

const RENDER_FIELDS: FieldsOf<ArrangeTarget & { readonly sendable: boolean }> = { ...TARGET_FIELDS, seenFrom: count, sendable: boolean };

/**
 * Returns the messages to send: the log with the edits in force applied. Pure; untouched messages are the same objects. An edit of the last
 * round may leave an assistant message last (see `Change`): add the next user message before sending such a view, or set `sendable`.
 */
export function render(log: readonly Message[], edits: readonly Edit[], target: RenderTarget = {}): Message[] {
  return parseAndArrange(log, edits, target).messages;
}

export function parseAndArrange(log: readonly Message[], edits: readonly Edit[], target: RenderTarget): Arrangement {
  if (!Array.isArray(edits)) throw invalid("INVALID_INPUT", "edits", "an array of edits", edits);
  const given = parseOptions(target, "target", RENDER_FIELDS);
  const { index } = parseLog(log);
  const arranged = arrange(log, index, edits, { ...withDefaults(given), seenFrom: given.seenFrom ?? 0 });
  return given.sendable === true ? { ...arranged, ...sendable(arranged, withDefaults(given)) } : arranged;
}
