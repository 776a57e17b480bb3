import type { Proposal } from "../edits/edit.ts";
import type { LogIndex } from "../messages/index-log.ts";
import { placeKey, type Place } from "../messages/place.ts";

/** Returns the tool results of the log that no edit has changed yet. */
export function untouchedResults({ results }: LogIndex, edits: readonly Proposal[]): readonly Place[] {
  const taken = new Set<string>();
  for (const edit of edits) if (edit.kind === "replace-result" && edit.undoneAt === undefined) taken.add(placeKey(edit.at));
  return taken.size === 0 ? results : results.filter((at) => !taken.has(placeKey(at)));
}
