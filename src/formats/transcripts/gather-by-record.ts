import { blocksOf, isToolResult, type Message, type ToolResultBlock } from "../../messages/message.ts";
import { nativesOf } from "../origin.ts";

/** A message of the view with the results of its calls. */
export interface Gathered<R extends object> {
  /** What it was decoded from; undefined if it is new. */
  readonly native: R | undefined;
  readonly message: Message;
  readonly results: readonly ToolResultBlock[];
}

/**
 * Joins what belongs to one record again: a record with calls and their results was decoded as two messages of the log.
 * Other user content beside results becomes a message of its own.
 */
export function gatherByRecord<R extends object>(view: readonly Message[], roleOf: (native: R) => Message["role"]): Gathered<R>[] {
  const gathered: Gathered<R>[] = [];
  for (const message of view) {
    const [native] = nativesOf<R>(message) ?? [];
    const results = blocksOf(message).filter(isToolResult);
    const last = gathered.at(-1);
    if (results.length > 0 && last !== undefined) gathered[gathered.length - 1] = { ...last, results };
    const said = results.length === 0 ? message : { ...message, content: blocksOf(message).filter((block) => !isToolResult(block)) };
    if (said.content.length === 0) continue;
    gathered.push({ native: native !== undefined && roleOf(native) === message.role ? native : undefined, message: said, results: [] });
  }
  return gathered;
}
