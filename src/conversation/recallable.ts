import { isRecord } from "../errors/is-record.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import type { Conversation } from "./conversation.ts";
import type { Recalled } from "./recall.ts";
import type { RecallInput, RecallOptions } from "./tools/recall-tool.ts";

/** What has views that name handles: their originals are here. A method that throws has changed nothing. */
export interface Recallable {
  /** The original of something that was shortened, or a part of it. */
  recall(handle: string, options?: RecallOptions): Recalled;
  /** The same, as a model asks for it. */
  recall(input: RecallInput): Recalled;
  /** What `recall` takes, in the order in which it was shortened. A part of one, such as `7f3kq20x-3`, can be asked for too. */
  handles(): string[];
}

export function recallIn(conversation: Conversation, asked: unknown, options: unknown): Recalled {
  if (typeof asked !== "string") return conversation.recall(asked, "input");
  if (asked.trim() === "") throw invalid("INVALID_INPUT", "handle", "a handle", asked);
  if (options === undefined) return conversation.recall({ handle: asked });
  if (!isRecord(options)) throw invalid("INVALID_INPUT", "options", "{ lines?, records?, grep?, maxTokens? }", options);
  if ("handle" in options) throw invalid("INVALID_INPUT", "options.handle", "left out: the handle is given", options["handle"]);
  return conversation.recall({ ...options, handle: asked }, "options");
}
