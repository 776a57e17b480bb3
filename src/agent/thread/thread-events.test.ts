import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { use } from "../../../test/support/build.ts";
import { idOf, outline } from "../../../test/support/threads/outline.ts";
import { compacts, example, round } from "../../../test/support/threads/speak.ts";

describe("events", () => {
  test("report edits and undos, once they are done", () => {
    const thread = example();
    const told: string[] = [];
    thread.on("messages-updated", ({ edits, undone }) =>
      told.push(`${undone ? "undone" : "made"} ${edits.map(({ kind }) => kind).join(",")} of ${outline(thread).length}`),
    );
    compacts(thread, [{ from: idOf(thread, "A"), to: idOf(thread, "B"), summary: "S." }]);
    const [range] = thread.edits();
    thread.undo(range?.id ?? "");
    assert.deepEqual(told, ["made replace-range,replace-block of 8", "undone replace-range of 9"]);
  });

  test("come until the listener is removed", () => {
    const thread = example();
    let count = 0;
    const off = thread.on("messages-updated", () => count++);
    const [edit] = thread.compact([{ to: idOf(thread, "A"), summary: "S." }]);
    off();
    off();
    thread.undo(edit?.id ?? "");
    assert.equal(count, 1);
  });

  test("a listener that throws does not stop the thread: its error is thrown asynchronously", async () => {
    const thread = example({ budget: { inputTokenBudget: 1, toolResultRetentionChars: 0, onCompact: () => assert.fail("in onCompact") } });
    round(thread, "3", "x".repeat(500));
    round(thread, "4");
    thread.on("messages-updated", () => assert.fail("in a listener"));
    const thrown: string[] = [];
    const catchers = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException");
    process.on("uncaughtException", (error) => thrown.push(error.message));
    try {
      thread.request();
      assert.deepEqual(
        thread.assistant({ content: [use("c", "compact", { replacements: [{ to: idOf(thread, "A"), summary: "S." }] })], usage: { input_tokens: 9 } }),
        {
          next: "request",
          calls: [],
        },
      );
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.removeAllListeners("uncaughtException");
      for (const catcher of catchers) process.on("uncaughtException", catcher);
    }
    assert.deepEqual(thrown.sort(), ["in a listener", "in a listener", "in onCompact"]);
    assert.equal(outline(thread)[1], "assistant: S.");
  });
});
