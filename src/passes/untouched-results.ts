import type { Proposal } from "../edits/edit.ts";
import { isToolResult, type Message, type ToolResultBlock } from "../messages/message.ts";
import type { Place } from "../messages/place.ts";

export interface PlacedResult {
  readonly at: Place;
  readonly block: ToolResultBlock;
}

/** The tool results of the log that no edit shows in another form yet. */
export function untouchedResults(log: readonly Message[], edits: readonly Proposal[]): PlacedResult[] {
  const taken = new Set<string>();
  for (const edit of edits) if (edit.kind === "replace-result" && edit.undoneAt === undefined) taken.add(`${edit.at.position}.${edit.at.block}`);
  const results: PlacedResult[] = [];
  for (let position = 0; position < log.length; position++) {
    const message = log[position];
    if (message?.role !== "user" || typeof message.content === "string") continue;
    for (let number = 0; number < message.content.length; number++) {
      const block = message.content[number];
      if (block === undefined || !isToolResult(block) || (taken.size > 0 && taken.has(`${position}.${number}`))) continue;
      results.push({ at: { position, block: number }, block });
    }
  }
  return results;
}
