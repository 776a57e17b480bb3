import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { indexLog } from "../messages/index-log.ts";
import type { Message } from "../messages/message.ts";
import { DEFAULT_TARGET } from "../messages/target.ts";
import { assistant, res, serverRes, serverUse, text, think, use, user } from "../../test/support/build.ts";
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
const shorterInput = (position: number, block: number, madeAt: number): ProposalOf<"replace-input"> => ({
  ...origin,
  kind: "replace-input",
  at: { position, block },
  input: { cut: true },
  madeAt,
});

interface Case {
  readonly log: readonly Message[];
  /** The length of the previously arranged log, and its edits. */
  readonly length: number;
  readonly edits?: readonly Proposal[];
  readonly added?: readonly Proposal[];
  /** How many messages of the previous view are kept. Default: all. */
  readonly kept?: number;
  readonly seenFrom?: number;
}

const LOG: readonly Message[] = [user("q"), assistant(use("a")), user(res("a", "long")), assistant(use("b"), use("c")), user(res("b", "long"), res("c", "x"))];
const THOUGHT: readonly Message[] = [user("q"), assistant(think(), use("a")), user(res("a", "long"))];
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
/** Without a summary, a range over blocks of one message leaves the rest of that message in its place. */
const silent: Proposal = { ...range, from: { position: 2, block: 1 }, to: { position: 2, block: 2 }, summary: " ", madeAt: 3 };
const collapsed: Proposal = { ...origin, kind: "collapse-round", call: 1, lastResult: 2, note: "-", madeAt: 3 };
const stripped: ProposalOf<"strip-blocks"> = { ...origin, kind: "strip-blocks", at: [{ position: 0, block: 1 }], madeAt: 3 };
const NOTED: readonly Message[] = [user("q", "r"), assistant("Yes.", use("a")), user(res("a", "long"), text("note"))];
const TWICE = assistant(use("a"));

const extending: Readonly<Record<string, Case>> = {
  "messages at the end": { log: LOG, length: 3 },
  "a shorter form of a new result": { log: LOG, length: 5, added: [shorter(4, "b", 5)], kept: 4 },
  "a shorter form of an older result": { log: LOG, length: 5, added: [shorter(2, "a", 5)], kept: 2 },
  "a shorter form in place of a shorter form": { log: LOG, length: 5, edits: [shorter(4, "b", 5)], added: [{ ...shorter(4, "b", 5), content: "t" }], kept: 4 },
  "messages after a range": { log: LOG, length: 4, edits: [range] },
  "beside an edit that was undone": { log: LOG, length: 5, edits: [{ ...shownAsText, undoneAt: 5 }], added: [shorter(4, "b", 5)], kept: 4 },
  "in place of an edit that was undone": {
    log: LOG,
    length: 5,
    edits: [{ ...shorter(4, "b", 5), form: "stub", undoneAt: 5 }],
    added: [shorter(4, "b", 5)],
    kept: 4,
  },
  "a shorter input": { log: LOG, length: 5, added: [shorterInput(1, 0, 5)], kept: 1 },
  "a shorter form beside a shorter input": { log: LOG, length: 5, edits: [shorterInput(3, 1, 5)], added: [shorter(4, "b", 5), shorterInput(3, 0, 5)], kept: 3 },
  "a shorter form of nothing": {
    log: LOG,
    length: 5,
    edits: [{ ...shorter(4, "b", 5), content: " " }],
    added: [{ ...shorter(2, "a", 5), content: "" }],
    kept: 2,
  },
  "a shorter form before an answer": { log: [...LOG, assistant("Done.")], length: 6, added: [shorter(4, "b", 6)], kept: 4 },
  "a shorter form after a range": { log: LOG, length: 5, edits: [range], added: [shorter(4, "b", 5)], kept: 3 },
  "a shorter form after a collapsed round": { log: LOG, length: 5, edits: [collapsed], added: [shorter(4, "b", 5)], kept: 3 },
  "a shorter form after a block that was stripped": { log: NOTED, length: 3, edits: [stripped], added: [shorter(2, "a", 3)], kept: 2 },
  "messages with thinking": { log: [...LOG, assistant(think(), text("x")), user("r")], length: 5 },
  "a result without a call": { log: [...LOG, user(res("z"))], length: 5 },
  "what the model sees from the new messages on": { log: LOG, length: 3, seenFrom: 3 },
  "after thinking": { log: THOUGHT, length: 3, added: [shorter(2, "a", 3)], kept: 2 },
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
  "messages after a range that is the end of the view": { log: LOG, length: 3, edits: [{ ...range, madeAt: 3 }] },
  "messages after instructions of the system": { log: [user("q"), { role: "system", content: "s" }, user("r")], length: 2 },
  "a shorter form with thinking after it": { log: [...THOUGHT, assistant(think(), text("x")), user("r")], length: 5, added: [shorter(2, "a", 5)] },
  "a shorter form beside another kind of edit": { log: LOG, length: 5, edits: [shownAsText], added: [shorter(2, "a", 5)] },
  "a shorter form in a message with another kind of edit": {
    log: [user("q"), assistant(use("a")), user(res("a", "long"), text("note"))],
    length: 3,
    edits: [{ ...shownAsText, at: { position: 2, block: 1 }, madeAt: 3 }],
    added: [shorter(2, "a", 3)],
  },
  "an edit that is undone": { log: LOG, length: 5, added: [{ ...shorter(4, "b", 5), undoneAt: 5 }] },
  "a view of nothing": { log: LOG, length: 0 },
  "a call that the provider runs": { log: [...LOG, assistant(serverUse("s"), serverRes("s")), user("r")], length: 5 },
  "what the model has not seen by then": { log: LOG, length: 3, seenFrom: 4 },
  "an edit of a longer log": { log: LOG, length: 4, added: [shorter(4, "b", 6)] },
  "a shorter form before the first thinking": { log: [...LOG.slice(0, 3), assistant(think(), text("x")), user("r")], length: 5, added: [shorter(2, "a", 5)] },
  "a shorter input before thinking of the same message": {
    log: [user("q"), assistant(use("a"), think(), use("b")), user(res("a"), res("b"))],
    length: 3,
    added: [shorterInput(1, 0, 3)],
  },
  "a shorter form beside a block that a range removes": { log: NOTED, length: 3, edits: [silent], added: [shorter(2, "a", 3)] },
  "a shorter form beside one of the blocks that were stripped": {
    log: NOTED,
    length: 3,
    edits: [{ ...stripped, at: [...stripped.at, { position: 2, block: 1 }] }],
    added: [shorter(2, "a", 3)],
  },
  "a shorter input in a collapsed round": { log: NOTED, length: 3, edits: [collapsed], added: [shorterInput(1, 1, 3)] },
  "the result of a hidden call, whose message is in the log twice": {
    log: [user("q"), TWICE, TWICE, user("Wait."), assistant("Yes."), user(res("a"))],
    length: 5,
    edits: [{ ...range, from: { position: 2, block: 0 }, to: { position: 4, block: 0 }, madeAt: 5 }],
  },
  "a result in a collapsed round": {
    log: LOG,
    length: 5,
    edits: [{ ...origin, kind: "collapse-round", call: 1, lastResult: 2, note: "-", madeAt: 5 }],
    added: [shorter(2, "a", 5)],
  },
  "a result that is hidden by now": { log: LOG, length: 4, edits: [range], added: [shorter(2, "a", 5)] },
};

function extendedOf({ log, length, edits = [], added = [], seenFrom = 0 }: Case): ReturnType<typeof extendView> {
  const before = log.slice(0, length);
  const known = { ...arrange(before, indexLog(before), edits, target), length, edits };
  return extendView(known, log, indexLog(log), added, { ...target, seenFrom });
}

describe("is extended", () => {
  for (const [name, given] of Object.entries(extending))
    test(name, () => {
      const view = extendedOf(given);
      const whole = arrange(given.log, indexLog(given.log), [...(given.edits ?? []), ...(given.added ?? [])], target);
      assert.deepEqual(view?.messages, whole.messages);
      assert.deepEqual(view.positions, whole.positions);
      whole.messages.forEach((message, number) => {
        if (given.log.includes(message)) assert.equal(view.messages[number], message, "what is not changed is the same object");
      });
      assert.equal(view.kept, given.kept ?? given.length - (given.edits?.includes(range) === true ? 1 : 0));
    });
});

describe("is arranged anew", () => {
  for (const [name, given] of Object.entries(anew)) test(name, () => assert.equal(extendedOf(given), undefined));
});
