import { count, parseOptions, type FieldsOf } from "../errors/parse-options.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import type { Message } from "../messages/message.ts";
import { parseLog } from "../messages/parse-messages.ts";
import { TARGET_FIELDS, withDefaults, type Target } from "../messages/target.ts";
import { arrange, type Arrangement, type ArrangeTarget } from "./arrange.ts";
import type { Edit } from "./edit.ts";

/** `seenFrom`, default 0: the length of the log from which our views were what the model saw. */
export type RenderTarget = Partial<Target> & { readonly seenFrom?: number };

const RENDER_FIELDS: FieldsOf<ArrangeTarget> = { ...TARGET_FIELDS, seenFrom: count };

/** The messages to send: the log with the edits in force shown in it. Pure; untouched messages are the same objects. */
export function render(log: readonly Message[], edits: readonly Edit[], target: RenderTarget = {}): Message[] {
  return parseAndArrange(log, edits, target).messages;
}

export function parseAndArrange(log: readonly Message[], edits: readonly Edit[], target: RenderTarget): Arrangement {
  if (!Array.isArray(edits)) throw invalid("INVALID_INPUT", "edits", "an array of edits", edits);
  const given = parseOptions(target, "target", RENDER_FIELDS);
  const { index } = parseLog(log);
  return arrange(log, index, edits, { ...withDefaults(given), seenFrom: given.seenFrom ?? 0 });
}
