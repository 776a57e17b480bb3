import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { use } from "../../../test/support/build.ts";
import { idOf, outline } from "../../../test/support/threads/outline.ts";
import { compacts, example, result, round, says } from "../../../test/support/threads/speak.ts";

describe("truncate", () => {
  test("makes a branch that goes on from there, and leaves the original as it is", () => {
    const thread = example();
    const before = JSON.stringify(thread);
    const branch = thread.truncate(3);
    branch.compact([{ to: idOf(branch, "A"), summary: "S." }]);
    round(branch, "9");
    assert.deepEqual(outline(branch), [
      "user: [Earlier conversation omitted]",
      "assistant: S.",
      "assistant: [read 1]",
      "user: {1: found 1} <B>",
      "assistant: [read 9]",
      "user: {9: found 9} <C>",
    ]);
    assert.equal(JSON.stringify(thread), before);
    assert.notEqual(branch.id, thread.id);
  });

  test("has the edits as they were then", () => {
    const thread = example();
    const [first] = thread.compact([{ from: idOf(thread, "A"), to: idOf(thread, "B"), summary: "S." }]);
    says(thread, "more");
    thread.user("on");
    thread.undo(first?.id ?? "");
    thread.compact([{ from: idOf(thread, "B"), to: idOf(thread, "C"), summary: "T." }]);
    assert.deepEqual(outline(thread.truncate(7)), [
      "user: q <A>",
      "assistant: S.",
      "assistant: [read 2]",
      "user: {2: found 2} <C>",
      "assistant: done",
      "user: next <D>",
    ]);
    assert.equal(thread.truncate(3).edits().length, 0);
    // An edit that was undone later never gets into the branch, however long it grows.
    const branch = thread.truncate(7);
    for (const id of ["7", "8", "9"]) round(branch, id);
    assert.equal(outline(branch)[1], "assistant: S.");
    assert.equal(branch.edits()[0]?.undoneAt, undefined);
  });

  test("keeps the pins of what was shown then", () => {
    const thread = example();
    const [edit] = thread.compact([{ from: idOf(thread, "A"), to: idOf(thread, "B"), summary: "S." }]);
    round(thread, "3");
    thread.undo(edit?.id ?? "");
    thread.pin(1);
    thread.pin(0);
    const branch = thread.truncate(7);
    assert.deepEqual(
      branch.toJSON().pins.map(({ position }) => position),
      [0],
    );
    assert.equal(outline(branch)[1], "assistant: S.");
  });

  test("in the middle of a round waits for the caller's results only", () => {
    const thread = example({ compress: { maxToolResultTokens: 1 } });
    says(thread, use("3"), use("c", "compact", { replacements: [{ from: idOf(thread, "A"), to: idOf(thread, "B"), summary: "S." }] }));
    thread.toolResults([result("3")]);
    const branch = thread.truncate(8);
    assert.throws(() => branch.request(), { code: "RESULTS_MISSING", data: { calls: ["3"] } });
    branch.toolResults([result("3", "other")]);
    assert.deepEqual(outline(branch).slice(-2), ["assistant: [read 3] I compacted the thread", "user: {3: other} <E>"]);
  });

  test("after calls of the thread's own tools goes on by itself", () => {
    const thread = example();
    compacts(thread, [{ from: idOf(thread, "A"), to: idOf(thread, "B"), summary: "S." }]);
    const branch = thread.truncate(8);
    assert.deepEqual(outline(branch), outline(thread));
    assert.notEqual(idOf(branch, "E"), idOf(thread, "E"));
  });

  test("before the message that continues after a summary adds one of its own", () => {
    const thread = example();
    thread.compact([{ from: idOf(thread, "A"), summary: "S." }]);
    const branch = thread.truncate(7);
    assert.deepEqual(outline(branch), outline(thread));
  });

  test("keeps results that have already come", () => {
    const thread = example();
    says(thread, use("3"), use("4"));
    thread.toolResults([result("4")]);
    const branch = thread.truncate(thread.log().length);
    branch.toolResults([result("3")]);
    assert.equal(outline(branch).at(-1), "user: {3: found 3} {4: found 4} <E>");
    assert.throws(() => thread.request(), { code: "RESULTS_MISSING" });
  });

  test("to nothing is an empty thread; elsewhere it is refused", () => {
    const thread = example();
    assert.throws(() => thread.truncate(0).request(), { code: "EMPTY_THREAD" });
    for (const length of [-1, 8, 1.5, NaN]) assert.throws(() => thread.truncate(length), { code: "INVALID_INPUT" });
  });
});
