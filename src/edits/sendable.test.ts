import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, calls, res, round, serverRes, serverUse, text, think, use, user } from "../../test/support/build.ts";
import type { Message } from "../messages/message.ts";
import { checkMessages } from "../messages/check-messages.ts";
import type { Change } from "./change.ts";
import { makeEdit } from "./edit.ts";
import { render } from "./render.ts";
import { report } from "./report.ts";

const log: readonly Message[] = [user("Go."), assistant("First."), user("On."), ...round("b")];
const edit = (change: Change) => makeEdit({ pass: "test", reason: "because", tokensBefore: 0, tokensAfter: 0, madeAt: log.length, ...change });
const from = { position: 3, block: 0 };
const to = { position: 5, block: 0 };

/** All edits that can leave the assistant last. */
const ENDS: Readonly<Record<string, Change>> = {
  "a collapsed round": { kind: "collapse-round", call: 3, lastResult: 4, note: "N." },
  "an assistant's summary": { kind: "replace-range", from, to, role: "assistant", summary: "S." },
  "the words before a deleted range": { kind: "replace-range", from: { position: 2, block: 0 }, to, role: "user", summary: "" },
  "a call that is shown as text": { kind: "replace-block", at: from, text: "T." },
};

describe("a view that ends in", () => {
  for (const [name, change] of Object.entries(ENDS)) {
    test(`${name} can be sent where that is asked for`, () => {
      const view = render(log, [edit(change)], { sendable: true });
      assert.deepEqual(checkMessages(view), []);
      assert.deepEqual(view.slice(0, -1), render(log, [edit(change)]));
    });
  }
});

describe("a view that is asked to be sendable", () => {
  test("is the same where it is so already, also for a model that goes on from the assistant's words", () => {
    assert.deepEqual(render(log, [], { sendable: true }), log);
    const summary = edit({ kind: "replace-range", from, to, role: "assistant", summary: "S." });
    const prefill = { prefill: true, thinking: "off" } as const;
    assert.deepEqual(render(log, [summary], { ...prefill, sendable: true }), render(log, [summary], prefill));
    const paused = [user("Go."), assistant(serverUse("s"))];
    assert.deepEqual(render(paused, [], { sendable: true }), paused);
  });

  test("is reported as it is sent, and no position of the log is missing or added", () => {
    const summary = edit({ kind: "replace-range", from, to, role: "assistant", summary: "S." });
    const [plain, sent] = [report(log, [summary]), report(log, [summary], { sendable: true })];
    assert.deepEqual(sent.positions, plain.positions);
    assert.ok(sent.tokensAfter > plain.tokensAfter);
  });

  /** Ends that no model continues from, although `prefill` lets it continue from the assistant's text. */
  const UNFIT: readonly (readonly [name: string, end: Message, target: object])[] = [
    ["a space (A1.7)", assistant("Done. "), { prefill: true, thinking: "off" }],
    ["thinking that is off now (A4.6)", assistant(think(), "Done."), { prefill: true, thinking: "off" }],
    ["words of the assistant's, while it thinks (A1.9)", assistant("Done."), { prefill: true }],
  ];
  for (const [name, end, target] of UNFIT) {
    test(`goes on after ${name}`, () => {
      const view = render([user("Go."), end], [], { ...target, sendable: true });
      assert.deepEqual(view, [user("Go."), end, user("Continue with the task.")]);
      assert.deepEqual(checkMessages(view, target), []);
    });
  }

  test("goes on after words that come long after a call that nobody answered, and after a provider's result that came late", () => {
    const left = [user("Go."), calls("a"), user("Never mind."), assistant("As you like.")];
    assert.deepEqual(render(left, [], { sendable: true }), [...left, user("Continue with the task.")]);
    const late = [user("Go."), assistant(serverUse("s"), use("a")), user(res("a")), assistant(serverRes("s"), "Found it.")];
    assert.deepEqual(render(late, [], { sendable: true }), [...late, user("Continue with the task.")]);
  });

  test("says why where it cannot be", () => {
    assert.throws(() => render([], [], { sendable: true }), { code: "EMPTY_THREAD", message: /^The thread has no messages yet/ });
    assert.throws(() => render([user("Go."), calls("a", "b")], [], { sendable: true }), {
      code: "RESULTS_MISSING",
      message: /results of a, b: add them/,
      data: { calls: ["a", "b"] },
    });
    const waiting = [user("Go."), assistant(think(), serverUse("s"), use("a")), user(res("a"))];
    const stripped = edit({ kind: "strip-blocks", at: [{ position: 1, block: 0 }] });
    assert.throws(() => render(waiting, [{ ...stripped, madeAt: 3 }], { thinking: "manual", sendable: true }), { code: "LOOP_OPEN", message: /^The call s waits/, data: { before: 1 } }); // prettier-ignore
    assert.throws(() => render(log, [], { sendable: 1 as never }), { code: "INVALID_OPTION", message: /^target\.sendable: / });
  });

  test("may end with a user's words beside a result", () => {
    const spoken = [...log.slice(0, 4), user(res("b"), text("And this."))];
    assert.deepEqual(render(spoken, [], { sendable: true }), spoken);
  });
});
