import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { use } from "../../../test/support/build.ts";
import { faults } from "../../../test/support/provider-judge.ts";
import { idOf, outline } from "../../../test/support/threads/outline.ts";
import { compacts, example, result, round, says, thought } from "../../../test/support/threads/speak.ts";
import { createThread } from "../index.ts";

describe("undo", () => {
  test("leaves the same bytes as if it had never been", () => {
    const thread = example({ reminder: "r" });
    const before = thread.request().messages;
    const edits = thread.compact([{ from: idOf(thread, "A"), to: idOf(thread, "B"), summary: "S." }]);
    assert.notDeepEqual(thread.request().messages, before);
    for (const { id } of edits) thread.undo(id);
    assert.deepEqual(thread.request().messages, before);
  });

  test("of a compaction by the model shows its call and result again", () => {
    const thread = example();
    compacts(thread, [{ from: idOf(thread, "A"), to: idOf(thread, "B"), summary: "S." }]);
    for (const { id } of thread.edits()) thread.undo(id);
    assert.deepEqual(outline(thread).slice(-2), [
      "assistant: [compact compact-1]",
      "user: {compact-1: Compacted.} The thread was compacted. Continue with the task. <E>",
    ]);
    assert.deepEqual(faults(thread.request().messages), []);
  });

  test("of an outer summary shows the inner one, and of an inner one nothing", () => {
    const thread = example();
    const [inner] = thread.compact([{ from: idOf(thread, "A"), to: idOf(thread, "B"), summary: "S." }]);
    const [outer] = thread.compact([{ from: idOf(thread, "A"), to: idOf(thread, "C"), summary: "T." }]);
    thread.undo(inner?.id ?? "");
    assert.equal(outline(thread)[1], "assistant: T.");
    thread.undo(outer?.id ?? "");
    assert.equal(outline(thread)[1], "assistant: [read 1]");
    assert.equal(outline(thread).length, 7);
  });

  test("of what a pass did is not done again by it", () => {
    const thread = example({ collapse: { collapseAfterTurns: 0 } });
    const collapsed = thread.edits().find(({ kind }) => kind === "collapse-round");
    assert.match(outline(thread)[1] ?? "", /^assistant: \[Tool: read/);
    thread.undo(collapsed?.id ?? "");
    assert.equal(outline(thread)[1], "assistant: [read 1]");
    round(thread, "3");
    round(thread, "4");
    assert.equal(outline(thread)[1], "assistant: [read 1]");
    assert.ok(!outline(thread).includes("assistant: [read 2]"));
  });

  test("of a pruned stretch keeps it", () => {
    const thread = example({ prune: { strategy: "sliding-window", maxTurns: 3 } });
    outline(thread);
    for (const { id } of thread.edits()) thread.undo(id);
    round(thread, "3");
    assert.equal(outline(thread)[0], "user: q <A>");
  });

  test("and the same again is one edit, in force", () => {
    const thread = example();
    const ask = [{ from: idOf(thread, "A"), to: idOf(thread, "B"), summary: "S." }];
    const [first] = thread.compact(ask);
    thread.undo(first?.id ?? "");
    const [second] = thread.compact(ask);
    assert.deepEqual(thread.edits(), [second]);
    assert.equal(second?.id, first?.id);
    assert.equal(outline(thread)[1], "assistant: S.");
  });

  test("works after a resume, once", () => {
    const thread = example();
    const before = outline(thread);
    const [edit] = thread.compact([{ from: idOf(thread, "A"), to: idOf(thread, "B"), summary: "S." }]);
    const resumed = createThread({ state: JSON.parse(JSON.stringify(thread)) });
    assert.equal(resumed.undo(edit?.id ?? "").undoneAt, 7);
    assert.deepEqual(outline(resumed), before);
    for (const id of [edit?.id ?? "", "nothing"]) assert.throws(() => resumed.undo(id), { code: "INVALID_INPUT" });
  });

  test("that an open loop in manual mode cannot survive is refused", () => {
    const thread = createThread({ target: { thinking: "manual" } });
    thread.user("q");
    says(thread, thought("t1"), "one");
    thread.user("r");
    const [edit] = thread.compact([{ to: idOf(thread, "A"), summary: "S." }]);
    says(thread, thought("t2"), use("1"));
    const before = JSON.stringify(thread);
    assert.throws(() => thread.undo(edit?.id ?? ""), { code: "LOOP_OPEN" });
    thread.toolResults([result("1")]);
    assert.throws(() => thread.undo(edit?.id ?? ""), { code: "LOOP_OPEN" });
    assert.notEqual(JSON.stringify(thread), before);
    assert.deepEqual(faults(thread.request().messages, { thinking: "manual" }), []);
  });
});
