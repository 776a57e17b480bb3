import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { faults } from "../../test/support/provider-judge.ts";
import { idOf, outline } from "../../test/support/threads/outline.ts";
import { compacts, example, round, says, thought } from "../../test/support/threads/speak.ts";
import { createThread } from "../agent/index.ts";

describe("pins", () => {
  test("compact is refused, by the caller and by the model, and the pin is named", () => {
    const thread = example();
    const pin = thread.pin(0, "the task");
    assert.deepEqual(pin, { id: "pin-0", position: 0, reason: "the task" });
    const before = JSON.stringify(thread);
    assert.throws(() => thread.compact([{ to: idOf(thread, "B"), summary: "S." }]), {
      code: "PINNED",
      message: /position 0 is held by pin pin-0 \(the task\)/,
      data: { pin: "pin-0", position: 0 },
    });
    assert.equal(JSON.stringify(thread), before);
    compacts(thread, [{ summary: "S." }]);
    assert.match(outline(thread).at(-1) ?? "", /^user: \{compact-1!: PINNED: .*pin-0 \(the task\).*\} <E>$/);
  });

  test("a pinned result keeps its call, and the error names the pin", () => {
    const thread = example();
    thread.pin(2, "the config");
    assert.throws(() => thread.compact([{ from: idOf(thread, "A"), to: idOf(thread, "B"), summary: "S." }]), {
      code: "PINNED",
      message: /position 1 is held by pin pin-2 \(the config\), which holds position 2 and what belongs to it/,
      data: { pin: "pin-2", position: 1 },
    });
  });

  test("a pinned message keeps its reminder and thinking: what lies before it can be compacted", () => {
    const thread = createThread({ reminder: "r", target: { bindsThinking: false } });
    thread.user("q");
    round(thread, "1");
    says(thread, thought("t"), "done");
    thread.user("next");
    thread.pin(3);
    thread.pin(4);
    thread.compact([{ from: idOf(thread, "A"), to: idOf(thread, "B"), summary: "S." }]);
    assert.deepEqual(outline(thread).slice(1), ["assistant: S.", "assistant: (t) done", "user: next <system-reminder> r </system-reminder> <C>"]);
  });

  for (const strategy of ["sliding-window", "summarize", "importance"] as const) {
    test(`passes work around them: ${strategy}`, () => {
      const thread = example({
        prune: { strategy, maxTurns: 1 },
        collapse: { collapseAfterTurns: 0 },
        budget: { inputTokenBudget: 1, toolResultRetentionChars: 1 },
      });
      // Earlier requests have pruned messages, and only a shown message can be pinned.
      const fresh = createThread({ ...{ prune: { strategy, maxTurns: 1 } }, state: { ...thread.toJSON(), edits: [] } });
      fresh.pin(0, "the task");
      fresh.pin(2);
      fresh.observe({ input_tokens: 100 });
      const lines = outline(fresh);
      assert.ok(lines.includes("user: q <A>"));
      assert.ok(lines.includes("assistant: [read 1]"));
      assert.ok(lines.includes("user: {1: found 1} <B>"));
      assert.ok(!lines.includes("user: {2: found 2} <C>"));
      assert.deepEqual(faults(fresh.request().messages), []);
    });
  }

  test("in manual mode a loop is kept as a whole, and what lies around it still goes", () => {
    const thread = createThread({ target: { thinking: "manual", bindsThinking: false } });
    thread.user("old");
    says(thread, thought("t0"), "answer");
    thread.user("q");
    round(thread, "1", undefined, thought("t1"));
    round(thread, "2");
    says(thread, "done");
    thread.user("next");
    says(thread, thought("t2"), "so");
    thread.user("end");
    const pruning = createThread({
      target: { thinking: "manual", bindsThinking: false },
      prune: { strategy: "sliding-window", maxTurns: 1 },
      state: thread.toJSON(),
    });
    pruning.pin(6);
    assert.deepEqual(outline(pruning), [
      "user: [Earlier conversation omitted]",
      "assistant: (t1) [read 1]",
      "user: {1: found 1} <C>",
      "assistant: [read 2]",
      "user: {2: found 2} <D>",
      "assistant: done",
      "assistant: (t2) so",
      "user: end <F>",
    ]);
    assert.deepEqual(faults(pruning.request().messages, { thinking: "manual" }), []);
  });

  test("can be taken off, are given once, and only to what is shown", () => {
    const thread = example();
    assert.equal(thread.pin(2), thread.pin(2, "again"));
    thread.unpin("pin-2");
    thread.compact([{ from: idOf(thread, "A"), to: idOf(thread, "B"), summary: "S." }]);
    assert.throws(() => thread.pin(2), { code: "INVALID_INPUT" });
    assert.throws(() => thread.unpin("pin-2"), { code: "INVALID_INPUT" });
    says(thread, thought("t"));
    assert.throws(() => thread.pin(7), { code: "INVALID_INPUT" });
  });
});
