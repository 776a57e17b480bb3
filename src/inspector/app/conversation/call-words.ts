import type { CallPoint, Mark } from "../../answers.ts";
import { duration } from "../words/numbers.ts";

export const MARK_WORDS: Readonly<Record<Mark, string>> = {
  digest: "Digest",
  batch: "Batch",
  compaction: "Agent compacts",
  recall: "Recall",
  pause: "Pause",
  fault: "Fault",
};

/** Returns the events of a call, in words. */
export function eventsOf({ kind, marks, pauseMs, edits, nothing }: CallPoint): string {
  if (kind === "side") return "side call";
  if (kind === "compaction") return "the agent's own compaction";
  if (kind === "unread") return nothing === undefined ? "not read" : `not read: ${nothing}`;
  const words = marks.map((mark) => (mark === "pause" && pauseMs !== undefined ? `pause of ${duration(pauseMs)}` : MARK_WORDS[mark].toLowerCase()));
  if (marks.length === 0 && edits > 0) words.push(edits === 1 ? "1 result cut" : `${edits} pieces cut`);
  return words.join(", ");
}
