import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyTranscript, checkProperty } from "../../test/support/transcripts.ts";
import { withoutBlank } from "../edits/blank.ts";
import type { Proposal } from "../edits/edit.ts";
import { refuseWrongEnds } from "../edits/spans.ts";
import { validEdits } from "../edits/validate-edits.ts";
import { indexLog } from "../messages/index-log.ts";
import type { Message } from "../messages/message.ts";
import { DEFAULT_TARGET, type Target } from "../messages/target.ts";
import { capResults } from "./cap-results/cap-results.ts";
import { collapseRounds } from "./collapse-rounds/collapse-rounds.ts";
import type { PassContext } from "./pass.ts";
import { pruneTurns } from "./prune-turns/prune-turns.ts";
import { stripVolatile } from "./strip-volatile/strip-volatile.ts";
import { truncateOldResults } from "./truncate-old-results/truncate-old-results.ts";

const thinking = fc.constantFrom<Target["thinking"]>("adaptive", "manual");

// `arrangeProposals` shows what passes propose as it is.
test("what passes propose is valid, in force and not blank", () => {
  checkProperty("valid proposals", [anyTranscript(), thinking, fc.nat(8)], (log, mode, limit) => {
    const context: PassContext = { index: indexLog(log), target: { ...DEFAULT_TARGET, thinking: mode } };
    for (const proposals of proposalsOf(log, context, limit)) {
      const shown = validEdits(log, context.index, proposals).map(withoutBlank);
      assert.equal(shown.length, proposals.length);
      refuseWrongEnds(context.index, proposals);
      shown.forEach((proposal, number) => assert.equal(proposal, proposals[number]));
      for (const { madeAt, undoneAt } of proposals) assert.deepEqual([madeAt, undoneAt], [log.length, undefined]);
    }
  });
});

function proposalsOf(log: readonly Message[], context: PassContext, limit: number): Proposal[][] {
  return [
    capResults(log, [], { ...context, maxTokens: limit }),
    collapseRounds(log, [], { ...context, afterTurns: limit, multiToolTurns: true, gistChars: limit }),
    stripVolatile(log, [], { ...context, from: { position: 0, block: 0 } }),
    truncateOldResults(log, [], { ...context, retainChars: limit }),
    ...(["sliding-window", "summarize", "importance"] as const).map((strategy) => pruneTurns(log, [], { ...context, strategy, maxTurns: limit })),
  ];
}
