import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { use } from "../../../test/support/build.ts";
import { faults } from "../../../test/support/provider-judge.ts";
import { idOf, outline } from "../../../test/support/threads/outline.ts";
import { compacts, CONTINUE, example, replacementsOf, result, round, says, thought } from "../../../test/support/threads/speak.ts";
import { createThread, type Thread } from "../index.ts";

describe("the compact tool", () => {
  test("alone: text stands in the place of the call, and the thread goes on by itself", () => {
    const thread = example();
    const outcome = compacts(thread, replacementsOf(thread, [["A", "B", "S."]]));
    assert.deepEqual(outcome, { next: "request", calls: [] });
    assert.deepEqual(outline(thread), [
      "user: q <A>",
      "assistant: S.",
      "assistant: [read 2]",
      "user: {2: found 2} <C>",
      "assistant: done",
      "user: next <D>",
      "assistant: I compacted the thread",
      `${CONTINUE} <E>`,
    ]);
    assert.deepEqual(faults(thread.request().messages), []);
  });

  test("alone, to the end: the end is the end of its own turn", () => {
    const thread = example();
    compacts(thread, replacementsOf(thread, [["A", undefined, "S."]]));
    assert.deepEqual(outline(thread), ["user: q <A>", "assistant: S.", `${CONTINUE} <E>`]);
  });

  test("alone, over everything", () => {
    const thread = example();
    compacts(thread, [{ summary: "S." }]);
    assert.deepEqual(outline(thread), ["user: [Earlier conversation omitted]", "assistant: S.", `${CONTINUE} <E>`]);
  });

  test("keeps what the model says beside the call", () => {
    const thread = example();
    says(thread, "Tidying up.", use("c", "compact", { replacements: replacementsOf(thread, [["A", "B", "S."]]) }));
    assert.equal(outline(thread).at(-2), "assistant: Tidying up. I compacted the thread");
  });

  test("with siblings: they keep their results, and the end is before the turn", () => {
    const thread = example();
    const outcome = compacts(thread, replacementsOf(thread, [["A", undefined, "S."]]), use("3"), use("4", "bash"));
    assert.deepEqual(outcome, { next: "tools", calls: [use("3"), use("4", "bash")] });
    thread.toolResults([result("4")]);
    thread.toolResults([result("3")]);
    assert.deepEqual(outline(thread), [
      "user: q <A>",
      "assistant: S.",
      "assistant: I compacted the thread [read 3] [bash 4]",
      "user: {3: found 3} {4: found 4} <E>",
    ]);
    assert.deepEqual(faults(thread.request().messages), []);
  });

  test("twice in one turn", () => {
    const thread = example();
    compacts(
      thread,
      replacementsOf(thread, [["A", "B", "S."]]),
      use("compact-2", "compact", { replacements: replacementsOf(thread, [["B", undefined, "T."]]) }),
    );
    // The first has hidden checkpoint B: the second gets an error that says so, and both have results.
    const lines = outline(thread);
    assert.equal(lines.at(-2), "assistant: I compacted the thread [compact compact-2]");
    assert.match(lines.at(-1) ?? "", /^user: \{compact-2!: CHECKPOINT_HIDDEN: .*\} <E>$/);
    assert.deepEqual(faults(thread.request().messages), []);
  });

  test("twice in one turn, both done", () => {
    const thread = example();
    compacts(
      thread,
      replacementsOf(thread, [["A", "B", "S."]]),
      use("compact-2", "compact", { replacements: replacementsOf(thread, [["C", undefined, "T."]]) }),
    );
    assert.deepEqual(outline(thread), [
      "user: q <A>",
      "assistant: S.",
      "assistant: [read 2]",
      "user: {2: found 2} <C>",
      "assistant: T.",
      "assistant: I compacted the thread I compacted the thread",
      `${CONTINUE} <E>`,
    ]);
  });

  test("beside recall: the recalled result is what the thread goes on with", () => {
    const thread = example();
    const outcome = compacts(thread, replacementsOf(thread, [["A", "B", "S."]]), use("r", "recall", { handle: idOf(thread, "A") }));
    assert.deepEqual(outcome, { next: "request", calls: [] });
    assert.deepEqual(outline(thread).slice(-2), [
      "assistant: I compacted the thread [recall r]",
      "user: {r: assistant called read {} tool result: found 1} <E>",
    ]);
  });

  test("takes ids as they are shown, and null for a border that is left out", () => {
    const thread = example();
    compacts(thread, [{ from: null, to: ` <checkpoint:${idOf(thread, "B")}>`, summary: "S." }]);
    assert.equal(outline(thread)[1], "assistant: S.");
  });

  const mistakes: Readonly<Record<string, (thread: Thread) => unknown>> = {
    CHECKPOINT_UNKNOWN: () => ({ replacements: [{ from: "zz9zz9", summary: "S." }] }),
    RANGE_REVERSED: (thread) => ({ replacements: replacementsOf(thread, [["C", "A", "S."]]) }),
    RANGE_EMPTY: (thread) => ({ replacements: replacementsOf(thread, [["A", "A", "S."]]) }),
    OVERLAPPING_RANGES: (thread) => ({
      replacements: replacementsOf(thread, [
        ["A", "C", "S."],
        ["B", "D", "T."],
      ]),
    }),
    EMPTY_THREAD: () => ({ replacements: [{ summary: "" }] }),
    INVALID_INPUT: () => ({ replacements: [{ from: 1, summary: "S." }] }),
    "INVALID_INPUT: input.replacements": () => ({}),
    "INVALID_INPUT: input.more": () => ({ replacements: [], more: 1 }),
    "INVALID_INPUT: replacements": () => ({ replacements: [] }),
    "INVALID_INPUT: replacements.0.summary": () => ({ replacements: [{}] }),
    "INVALID_INPUT: replacements.0.note": () => ({ replacements: [{ summary: "S.", note: "" }] }),
  };
  for (const [mistake, input] of Object.entries(mistakes)) {
    test(`a mistaken call gets an error and changes nothing: ${mistake}`, () => {
      const thread = example();
      const before = outline(thread);
      const refused: string[] = [];
      thread.on("call-refused", ({ tool, error }) => refused.push(`${tool} ${error.code}`));
      assert.deepEqual(says(thread, use("c", "compact", input(thread))), { next: "request", calls: [] });
      const after = outline(thread);
      assert.deepEqual(after.slice(0, before.length), before);
      assert.equal(after.at(-2), "assistant: [compact c]");
      assert.ok(after.at(-1)?.startsWith(`user: {c!: ${mistake}`), after.at(-1));
      assert.deepEqual(thread.edits(), []);
      assert.deepEqual(refused, [`compact ${mistake.split(":")[0]}`]);
      assert.deepEqual(faults(thread.request().messages), []);
    });
  }

  test("a mistaken call beside others: all have their results", () => {
    const thread = example();
    compacts(thread, [{ from: "zz9zz9", summary: "S." }], use("3"));
    thread.toolResults([result("3")]);
    assert.match(outline(thread).at(-1) ?? "", /^user: \{compact-1!: CHECKPOINT_UNKNOWN: .*\} \{3: found 3\} <E>$/);
  });

  test("in manual thinking mode an open loop that needs its thinking is an error to the model", () => {
    const thread = createThread({ target: { thinking: "manual", bindsThinking: false } });
    thread.user("q");
    round(thread, "1", "found", thought("t1"));
    compacts(thread, [{ from: idOf(thread, "A"), summary: "S." }]);
    assert.match(outline(thread).at(-1) ?? "", /^user: \{compact-1!: LOOP_OPEN: .*\} <C>$/);
    assert.deepEqual(faults(thread.request().messages, { thinking: "manual" }), []);
    assert.throws(() => thread.compact([{ from: idOf(thread, "A"), summary: "S." }]), { code: "LOOP_OPEN" });
  });

  test("a caller's own tool called compact is the caller's", () => {
    const thread = createThread({ compact: false, tools: [{ name: "compact" }] });
    thread.user("q");
    assert.deepEqual(says(thread, use("1", "compact")), { next: "tools", calls: [use("1", "compact")] });
    thread.toolResults([result("1", "squeezed")]);
    assert.deepEqual(outline(thread), ["user: q", "assistant: [compact 1]", "user: {1: squeezed}"]);
  });
});
