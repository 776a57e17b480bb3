import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { text, use } from "../../../test/support/build.ts";
import { deepFreeze } from "../../../test/support/check-property.ts";
import { faults } from "../../../test/support/provider-judge.ts";
import { idOf, outline } from "../../../test/support/threads/outline.ts";
import { compacts, example, image, result, round, says, thought } from "../../../test/support/threads/speak.ts";
import { createThread } from "../index.ts";

describe("a conversation", () => {
  test("is sent as it was said", () => {
    assert.deepEqual(outline(example()), [
      "user: q <A>",
      "assistant: [read 1]",
      "user: {1: found 1} <B>",
      "assistant: [read 2]",
      "user: {2: found 2} <C>",
      "assistant: done",
      "user: next <D>",
    ]);
  });

  test("is never changed by the thread, and neither is its input", () => {
    const thread = createThread({ compress: { maxToolResultTokens: 1 }, reminder: "r" });
    thread.user(deepFreeze([text("q"), image]));
    thread.request();
    thread.assistant(deepFreeze({ content: [thought("t"), use("1")], usage: { input_tokens: 1 } }));
    thread.toolResults(deepFreeze([result("1", "x".repeat(500))]));
    const log = deepFreeze(thread.log());
    thread.compact([{ from: idOf(thread, "A"), to: idOf(thread, "B"), summary: "S." }]);
    assert.deepEqual(thread.log().slice(0, log.length), log);
  });

  test("results go to the model together, in the order of the calls", () => {
    const thread = createThread();
    thread.user("q");
    assert.deepEqual(says(thread, "Let me look.", use("1"), use("2")), { next: "tools", calls: [use("1"), use("2")] });
    thread.toolResults([result("2")]);
    thread.toolResults([result("1", [text("a"), image])]);
    assert.equal(outline(thread).at(-1), `user: {1: ${JSON.stringify([text("a"), image])}} {2: found 2} <B>`);
  });

  test("a call id that comes again belongs to the newest call", () => {
    const thread = createThread();
    thread.user("q");
    round(thread, "1", "first");
    round(thread, "1", "second");
    assert.deepEqual(outline(thread).slice(2), ["user: {1: first} <B>", "assistant: [read 1]", "user: {1: second} <C>"]);
  });

  test("an empty tool result is allowed", () => {
    const thread = createThread();
    thread.user("q");
    says(thread, use("1"), use("2"), use("3"), use("4"), use("5"));
    thread.toolResults([
      result("1", ""),
      { type: "tool_result", tool_use_id: "2" },
      { type: "tool_result", tool_use_id: "3", is_error: true },
      result("4", []),
      result("5", [text(" "), image]),
    ]);
    assert.equal(outline(thread).at(-1), `user: {1: [empty]} {2: } {3!: [empty]} {4: [empty]} {5: ${JSON.stringify([text("[empty]"), image])}} <B>`);
    assert.deepEqual(faults(thread.request().messages), []);
  });

  test("a response without content leaves nothing to send again", () => {
    for (const content of ["", []]) {
      const thread = createThread();
      thread.user("q");
      thread.request();
      assert.deepEqual(thread.assistant({ content }), { next: "user", calls: [] });
      assert.equal(thread.log().length, 1);
      thread.user("still there?");
      assert.deepEqual(faults(thread.request().messages), []);
    }
  });

  test("a paused turn is asked for again", () => {
    const thread = createThread();
    thread.user("q");
    thread.request();
    const paused = { content: [{ type: "server_tool_use", id: "s", name: "web_search", input: {} }], stop_reason: "pause_turn" };
    assert.deepEqual(thread.assistant(paused), { next: "request", calls: [] });
    assert.equal(thread.request().messages.at(-1)?.role, "assistant");
  });

  test("lists compact and recall before the caller's tools", () => {
    const thread = example({ tools: [{ name: "read" }] });
    assert.deepEqual(
      thread.request().tools.map(({ name }) => name),
      ["compact", "recall", "read"],
    );
    assert.deepEqual(example({ compact: false, recall: false }).request().tools, []);
  });

  test("gives the same bytes each time it is asked, and the same objects for what did not change", () => {
    const collapsing = example({ collapse: { collapseAfterTurns: 1 } });
    assert.deepEqual(collapsing.request(), collapsing.request());
    const thread = example();
    const first = thread.request().messages;
    round(thread, "3");
    const second = thread.request().messages;
    first.forEach((message, position) => assert.equal(message, second[position]));
  });
});

describe("the reminder", () => {
  test("comes before the checkpoint of every user message, created again each time", () => {
    let count = 0;
    const thread = createThread({ reminder: () => `number ${++count}` });
    thread.user("q");
    round(thread, "1");
    assert.deepEqual(outline(thread), [
      "user: q <system-reminder> number 1 </system-reminder> <A>",
      "assistant: [read 1]",
      "user: {1: found 1} <system-reminder> number 2 </system-reminder> <B>",
    ]);
  });

  test("is left out where there is nothing to say", () => {
    for (const reminder of [undefined, "", " \n"]) {
      const thread = createThread({ reminder: () => reminder });
      thread.user("q");
      assert.deepEqual(outline(thread), ["user: q <A>"]);
    }
  });

  test("whose function fails leaves the thread as it was", () => {
    let fails = false;
    const reminder = (): string => {
      if (fails) throw new TypeError("no reminder");
      return "r";
    };
    const thread = createThread({ reminder });
    thread.user("q");
    says(thread, use("1"), use("2"));
    thread.toolResults([result("1")]);
    fails = true;
    const unchanged = (attempt: () => unknown): void => {
      const before = JSON.stringify(thread);
      assert.throws(attempt, TypeError);
      assert.equal(JSON.stringify(thread), before);
    };
    unchanged(() => thread.toolResults([result("2")]));
    fails = false;
    thread.toolResults([result("2")]);
    fails = true;
    unchanged(() => thread.user("more"));
    unchanged(() => thread.compact([{ summary: "S." }]));
    unchanged(() => compacts(thread, [{ summary: "S." }]));
    unchanged(() => thread.truncate(2 + 1));
    fails = false;
    assert.deepEqual(compacts(thread, [{ summary: "S." }]).next, "request");
  });
});
