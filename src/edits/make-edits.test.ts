import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, res, text, think, use, user } from "../../test/support/build.ts";
import type { Block, Message } from "../messages/message.ts";
import type { Change } from "./change.ts";
import { makeEdit, type Proposal } from "./edit.ts";
import { makeEdits } from "./make-edits.ts";

/** A text of this many tokens: three digits are one. */
const sized = (tokens: number): string => "123".repeat(tokens);

const log: readonly Message[] = [
  { role: "user", content: sized(10) },
  assistant(think("s", ""), text(sized(20)), use("a", "read", { path: sized(24) })),
  user(res("a", sized(100)), text(sized(50))),
  assistant(text(sized(5)), text(sized(7))),
];
const at = (position: number, number = 0): { position: number; block: number } => ({ position, block: number });
const origin = { pass: "test", reason: "because", madeAt: 4, handle: "h" };

/** The tokens before and after the edit. */
const ROWS: readonly (readonly [what: string, change: Change, before: number, after: number])[] = [
  ["a result", { kind: "replace-result", at: at(2), callId: "a", form: "stub", content: sized(10) }, 100, 10],
  ["a result shown as blocks", { kind: "replace-result", at: at(2), callId: "a", form: "stub", content: [text(sized(7)), text(sized(3))] }, 100, 10],
  ["stripped blocks", { kind: "strip-blocks", at: [at(3, 0), at(3, 1)] }, 12, 0],
  ["a replaced block", { kind: "replace-block", at: at(2, 1), text: "short" }, 50, 1],
  ["a replaced string", { kind: "replace-block", at: at(0), text: sized(2) }, 10, 2],
  ["a range of whole messages", { kind: "replace-range", from: at(2), to: at(4), role: "user", summary: sized(3) }, 162, 3],
  ["a range that begins and ends inside messages", { kind: "replace-range", from: at(2, 1), to: at(3, 1), role: "user", summary: "" }, 55, 0],
  ["a range within one message", { kind: "replace-range", from: at(3, 1), to: at(3, 2), role: "user", summary: sized(1) }, 7, 1],
];

describe("makeEdits says what an edit saves", () => {
  for (const [what, change, tokensBefore, tokensAfter] of ROWS) {
    test(what, () => {
      const proposal: Proposal = { ...origin, ...change };
      assert.deepEqual(makeEdits(log, [proposal]), [makeEdit({ ...proposal, tokensBefore, tokensAfter })]);
    });
  }

  test("a collapsed round: the call, its thinking and its result, not the text beside them", () => {
    const [edit] = makeEdits(log, [{ ...origin, kind: "collapse-round", call: 1, lastResult: 2, note: sized(4) }]);
    const alone = makeEdits(
      [assistant(think("s", ""), ...(log[1]?.content.slice(2) as Block[]))],
      [{ ...origin, kind: "strip-blocks", at: [at(0), at(0, 1)] }],
    );
    assert.equal(edit?.tokensAfter, 4);
    assert.equal(edit.tokensBefore, (alone[0]?.tokensBefore ?? 0) + 100);
  });

  test("an input: only what is shorter is saved", () => {
    const [edit] = makeEdits(log, [{ ...origin, kind: "replace-input", at: at(1, 2), input: { path: sized(4) } }]);
    assert.equal((edit?.tokensBefore ?? 0) - (edit?.tokensAfter ?? 0), 20);
  });

  test("in the order of the proposals, each with its id", () => {
    const proposals: Proposal[] = [
      { ...origin, kind: "replace-block", at: at(0), text: "a" },
      { ...origin, kind: "replace-block", at: at(3), text: "b" },
    ];
    assert.deepEqual(
      makeEdits(log, proposals).map(({ id }) => id),
      proposals.map((proposal) => makeEdit({ ...proposal, tokensBefore: 0, tokensAfter: 0 }).id),
    );
  });
});
