import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { indexLog } from "../messages/index-log.ts";
import type { Message } from "../messages/message.ts";
import { DEFAULT_TARGET } from "../messages/target.ts";
import { assistant, res, use, user } from "../../test/support/build.ts";
import { arrange } from "./arrange.ts";
import type { Proposal, ProposalOf } from "./edit.ts";
import { extendView } from "./extend-view.ts";

const target = { ...DEFAULT_TARGET, seenFrom: 0 };
const origin = { pass: "p", reason: "r" };
const shorter = (position: number, callId: string, madeAt: number): ProposalOf<"replace-result"> => ({
  ...origin,
  kind: "replace-result",
  at: { position, block: 0 },
  callId,
  form: "truncated",
  content: "s",
  madeAt,
});

interface Case {
  readonly log: readonly Message[];
  /** The length of the log that was arranged before, and the edits then. */
  readonly length: number;
  readonly edits?: readonly Proposal[];
  readonly added?: readonly Proposal[];
}

const LOG: readonly Message[] = [user("q"), assistant(use("a")), user(res("a", "long")), assistant(use("b"), use("c")), user(res("b", "long"), res("c", "x"))];
const shownAsText: Proposal = { ...origin, kind: "replace-block", at: { position: 3, block: 0 }, text: "t", madeAt: 4 };
const range: Proposal = {
  ...origin,
  kind: "replace-range",
  from: { position: 1, block: 0 },
  to: { position: 3, block: 0 },
  role: "user",
  summary: "S",
  madeAt: 4,
};

const extending: Readonly<Record<string, Case>> = {
  "messages at the end": { log: LOG, length: 3 },
  "a shorter form of a new result": { log: LOG, length: 5, added: [shorter(4, "b", 5)] },
  "a shorter form of an older result": { log: LOG, length: 5, added: [shorter(2, "a", 5)] },
  "a shorter form in place of a shorter form": { log: LOG, length: 5, edits: [shorter(4, "b", 5)], added: [{ ...shorter(4, "b", 5), content: "t" }] },
  "messages after a range": { log: LOG, length: 4, edits: [range] },
};
const anew: Readonly<Record<string, Case>> = {
  "results of a call that is shown as text": { log: LOG, length: 4, edits: [shownAsText] },
  "a shorter form beside the result of a call that is shown as text": {
    log: LOG,
    length: 5,
    edits: [shownAsText],
    added: [{ ...shorter(4, "c", 5), at: { position: 4, block: 1 } }],
  },
  "a range": { log: LOG, length: 4, added: [range] },
  "a second part of one response": { log: [...LOG, assistant("x"), assistant("y")], length: 6 },
  "a result that is hidden by now": { log: LOG, length: 4, edits: [range], added: [shorter(2, "a", 5)] },
};

function extendedOf({ log, length, edits = [], added = [] }: Case): ReturnType<typeof extendView> {
  const before = log.slice(0, length);
  const known = { ...arrange(before, indexLog(before), edits, target), length, edits };
  return extendView(known, log, indexLog(log), added, target);
}

describe("is extended", () => {
  for (const [name, given] of Object.entries(extending))
    test(name, () => {
      const view = extendedOf(given);
      const whole = arrange(given.log, indexLog(given.log), [...(given.edits ?? []), ...(given.added ?? [])], target);
      assert.deepEqual(view?.messages, whole.messages);
      assert.deepEqual(view.positions, whole.positions);
    });
});

describe("is arranged anew", () => {
  for (const [name, given] of Object.entries(anew)) test(name, () => assert.equal(extendedOf(given), undefined));
});
