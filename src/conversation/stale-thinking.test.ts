import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { text } from "../../test/support/build.ts";
import { outline } from "../../test/support/threads/outline.ts";
import { example, replacementsOf, says, thought } from "../../test/support/threads/speak.ts";
import { createThread } from "../agent/index.ts";

describe("thinking beside a compaction, for a target that binds it", () => {
  test("what lies before the edit stays, what was produced under what is gone goes, what comes later stays", () => {
    const thread = createThread();
    thread.user("q");
    says(thread, thought("t1"), "one");
    thread.user("r");
    says(thread, thought("t2"), "two");
    thread.user("s");
    says(thread, thought("t3"), "three");
    thread.user("t");
    thread.compact(replacementsOf(thread, [["B", "C", "S."]]));
    says(thread, thought("t4"), "four");
    thread.user("u");
    assert.deepEqual(outline(thread), [
      "user: q <A>",
      "assistant: (t1) one",
      "user: r <B>",
      "assistant: S.",
      "assistant: three",
      "user: t <D>",
      "assistant: (t4) four",
      "user: u <E>",
    ]);
  });

  test("a response to a request that was changed meanwhile loses its thinking, for good", () => {
    const thread = example();
    thread.request();
    thread.compact(replacementsOf(thread, [["A", "B", "S."]]));
    thread.assistant({ content: [thought("t1"), text("late")] });
    thread.user("on");
    assert.equal(outline(thread).at(-2), "assistant: late");
    const stale = thread.edits().find(({ pass }) => pass === "stale-thinking");
    assert.throws(() => thread.undo(stale?.id ?? ""), { code: "INVALID_INPUT" });
    says(thread, thought("t2"), "again");
    thread.user("on");
    assert.equal(outline(thread).at(-2), "assistant: (t2) again");
  });

  test("a response whose request nobody changed keeps it, whoever asked for the request twice", () => {
    const thread = example();
    thread.request();
    thread.request();
    thread.assistant({ content: [thought("t1"), text("in time")] });
    thread.user("on");
    assert.equal(outline(thread).at(-2), "assistant: (t1) in time");
  });
});
