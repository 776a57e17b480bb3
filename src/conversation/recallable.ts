import { isRecord } from "../errors/is-record.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import type { Conversation } from "./conversation.ts";
import type { Recalled } from "./recall.ts";
import type { RecallInput, RecallOptions } from "./tools/recall-tool.ts";

/** Serves the originals of handles that its views name. A method that throws has changed nothing. */
export interface Recallable {
  /** Returns the original of something that was shortened, or part of it. */
  recall(handle: string, options?: RecallOptions): Recalled;
  /** Does the same for the input of a model's call of the recall tool. */
  recall(input: RecallInput): Recalled;
  /** Returns the handles that `recall` takes, oldest edit first. It also takes a part of one, such as `7f3kq20x-3`. */
  handles(): string[];
}

export function recallIn(conversation: Conversation, asked: unknown, options: unknown): Recalled {
  if (typeof asked !== "string") return conversation.recall(asked, "input");
  if (asked.trim() === "") throw invalid("INVALID_INPUT", "handle", "a handle", asked);
  if (options === undefined) return conversation.recall({ handle: asked });
  if (!isRecord(options)) throw invalid("INVALID_INPUT", "options", "{ lines?, records?, grep?, maxTokens? }", options);
  if ("handle" in options) throw invalid("INVALID_INPUT", "options.handle", "no handle here: it is the first argument", options["handle"]);
  return conversation.recall({ ...options, handle: asked }, "options");
}
