import type { Edit } from "../../edits/edit.ts";
import { makeEdits } from "../../edits/make-edits.ts";
import { report } from "../../edits/report.ts";
import { indexLog } from "../../messages/index-log.ts";
import type { Message } from "../../messages/message.ts";
import { DEFAULT_TARGET } from "../../messages/target.ts";
import { capResults } from "../../passes/cap-results/cap-results.ts";
import { collapseRounds } from "../../passes/collapse-rounds/collapse-rounds.ts";
import { truncateOldResults } from "../../passes/truncate-old-results/truncate-old-results.ts";

/** Rounds this far back become one line and the beginning of each result. */
const COLLAPSE = { afterTurns: 60, multiToolTurns: true, gistChars: 120 };
/** Newer results keep their beginning. */
const TRUNCATE = { retainChars: 500 };
/** The newest round keeps more. */
const CAP = { maxTokens: 1_000 };

/** Collapses the oldest rounds, cuts newer results to their beginning and caps the newest. Every edit is visible in the view and saves something. */
export function shortenSession(log: readonly Message[]): Edit[] {
  const context = { index: indexLog(log), target: DEFAULT_TARGET };
  // The line that replaces a round can be longer than a very short round.
  const collapsed = makeEdits(log, collapseRounds(log, [], { ...COLLAPSE, ...context })).filter(saves);
  const { positions } = report(log, collapsed);
  // A result inside a collapsed round is gone already: cutting it would save nothing.
  const isShown = (edit: Edit): boolean => edit.kind === "replace-result" && positions[edit.at.position]?.state === "shown";
  const truncated = makeEdits(log, truncateOldResults(log, collapsed, { ...TRUNCATE, ...context })).filter(isShown);
  const capped = makeEdits(log, capResults(log, truncated, { ...CAP, ...context })).filter(isShown);
  return [...collapsed, ...truncated, ...capped];
}

function saves(edit: Edit): boolean {
  return edit.tokensAfter < edit.tokensBefore;
}
