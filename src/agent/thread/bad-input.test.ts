import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { text, use } from "../../../test/support/build.ts";
import { idOf, outline } from "../../../test/support/threads/outline.ts";
import { result, round, says } from "../../../test/support/threads/speak.ts";
import { createThread, type Thread } from "../index.ts";

/** Two rounds and a question. */
function asked(): Thread {
  const thread = createThread({ tools: [{ name: "read" }] });
  thread.user("q");
  round(thread, "1");
  round(thread, "2");
  return thread;
}

/** Calls 3 and 4 wait; the result of 4 is here. */
function waiting(): Thread {
  const thread = asked();
  says(thread, use("3"), use("4"));
  thread.toolResults([result("4")]);
  return thread;
}

interface Case {
  readonly thread: () => Thread;
  readonly attempt: (thread: Thread) => unknown;
  readonly code: string;
  readonly data?: object;
}

const bad = (value: unknown): never => value as never;

const CASES: Readonly<Record<string, Case>> = {
  "user: nothing": { thread: asked, attempt: (thread) => thread.user(bad(undefined)), code: "INVALID_INPUT" },
  "user: a number": { thread: asked, attempt: (thread) => thread.user(bad(3)), code: "INVALID_INPUT" },
  "user: a message": { thread: asked, attempt: (thread) => thread.user(bad({ role: "user", content: "x" })), code: "INVALID_INPUT" },
  "user: no blocks": { thread: asked, attempt: (thread) => thread.user([]), code: "INVALID_INPUT" },
  "user: a block that is none": { thread: asked, attempt: (thread) => thread.user(bad([{ text: "x" }])), code: "INVALID_INPUT" },
  "user: a text without text": { thread: asked, attempt: (thread) => thread.user(bad([{ type: "text" }])), code: "INVALID_INPUT" },
  "user: blank words": { thread: asked, attempt: (thread) => thread.user(" \n"), code: "INVALID_INPUT" },
  "user: a blank block": { thread: asked, attempt: (thread) => thread.user([text("q"), text("")]), code: "INVALID_INPUT" },
  "user: a result": { thread: asked, attempt: (thread) => thread.user([result("1")]), code: "INVALID_INPUT" },
  "user: a checkpoint": { thread: asked, attempt: (thread) => thread.user([{ type: "checkpoint", id: "abc123" }]), code: "INVALID_INPUT" },
  "user: a reminder block": { thread: asked, attempt: (thread) => thread.user([{ type: "system_reminder", text: "x" }]), code: "INVALID_INPUT" },
  "user: too early": { thread: waiting, attempt: (thread) => thread.user("x"), code: "RESULTS_MISSING", data: { calls: ["3"] } },

  "assistant: nothing": { thread: asked, attempt: (thread) => thread.assistant(bad(undefined)), code: "INVALID_INPUT" },
  "assistant: a string": { thread: asked, attempt: (thread) => thread.assistant(bad("x")), code: "INVALID_INPUT" },
  "assistant: no content": { thread: asked, attempt: (thread) => thread.assistant(bad({})), code: "INVALID_INPUT" },
  "assistant: content that is none": { thread: asked, attempt: (thread) => thread.assistant(bad({ content: { type: "text" } })), code: "INVALID_INPUT" },
  "assistant: a call without an id": {
    thread: asked,
    attempt: (thread) => thread.assistant(bad({ content: [{ type: "tool_use", name: "read", input: {} }] })),
    code: "INVALID_INPUT",
  },
  "assistant: another role": { thread: asked, attempt: (thread) => thread.assistant(bad({ role: "user", content: "x" })), code: "INVALID_INPUT" },
  "assistant: usage that is none": {
    thread: asked,
    attempt: (thread) => thread.assistant({ content: "x", usage: bad({ input_tokens: "9" }) }),
    code: "INVALID_INPUT",
  },
  "assistant: too early": { thread: waiting, attempt: (thread) => thread.assistant({ content: "x" }), code: "RESULTS_MISSING", data: { calls: ["3"] } },
  "assistant: before anyone has spoken": { thread: () => createThread(), attempt: (thread) => thread.assistant({ content: "x" }), code: "EMPTY_THREAD" },

  "toolResults: not an array": { thread: waiting, attempt: (thread) => thread.toolResults(bad(result("3"))), code: "INVALID_INPUT" },
  "toolResults: a block that is none": { thread: waiting, attempt: (thread) => thread.toolResults(bad([null])), code: "INVALID_INPUT" },
  "toolResults: text": { thread: waiting, attempt: (thread) => thread.toolResults([text("x")]), code: "INVALID_INPUT" },
  "toolResults: no id": { thread: waiting, attempt: (thread) => thread.toolResults([{ type: "tool_result", content: "x" }]), code: "INVALID_INPUT" },
  "toolResults: for an unknown call": {
    thread: waiting,
    attempt: (thread) => thread.toolResults([result("9")]),
    code: "CALL_UNKNOWN",
    data: { id: "9", calls: ["3"] },
  },
  "toolResults: the second of two is for an unknown call": {
    thread: waiting,
    attempt: (thread) => thread.toolResults([result("3"), result("9")]),
    code: "CALL_UNKNOWN",
  },
  "toolResults: a second one": { thread: waiting, attempt: (thread) => thread.toolResults([result("4")]), code: "INVALID_INPUT" },
  "toolResults: twice the same": { thread: waiting, attempt: (thread) => thread.toolResults([result("3"), result("3")]), code: "INVALID_INPUT" },
  "toolResults: for a call of an earlier turn": { thread: waiting, attempt: (thread) => thread.toolResults([result("1")]), code: "CALL_UNKNOWN" },
  "toolResults: where no call waits": {
    thread: asked,
    attempt: (thread) => thread.toolResults([result("2")]),
    code: "CALL_UNKNOWN",
    data: { id: "2", calls: [] },
  },

  "request: too early": { thread: waiting, attempt: (thread) => thread.request(), code: "RESULTS_MISSING", data: { calls: ["3"] } },
  "request: before anyone has spoken": { thread: () => createThread(), attempt: (thread) => thread.request(), code: "EMPTY_THREAD" },

  "observe: nothing": { thread: asked, attempt: (thread) => thread.observe(bad(undefined)), code: "INVALID_INPUT" },
  "observe: less than nothing": { thread: asked, attempt: (thread) => thread.observe({ input_tokens: -1 }), code: "INVALID_INPUT" },

  "compact: nothing": { thread: asked, attempt: (thread) => thread.compact(bad(undefined)), code: "INVALID_INPUT" },
  "compact: no replacements": { thread: asked, attempt: (thread) => thread.compact([]), code: "INVALID_INPUT" },
  "compact: a replacement that is none": { thread: asked, attempt: (thread) => thread.compact(bad(["x"])), code: "INVALID_INPUT" },
  "compact: no summary": { thread: asked, attempt: (thread) => thread.compact(bad([{}])), code: "INVALID_INPUT" },
  "compact: an unknown field": { thread: asked, attempt: (thread) => thread.compact(bad([{ summary: "", note: "" }])), code: "INVALID_INPUT" },
  "compact: an unknown checkpoint": { thread: asked, attempt: (thread) => thread.compact([{ to: "zz9zz9", summary: "S." }]), code: "CHECKPOINT_UNKNOWN" },
  "compact: the second of two is reversed": {
    thread: asked,
    attempt: (thread) =>
      thread.compact([
        { to: idOf(thread, "A"), summary: "S." },
        { from: idOf(thread, "C"), to: idOf(thread, "B"), summary: "T." },
      ]),
    code: "RANGE_REVERSED",
  },
  "compact: nothing between": { thread: asked, attempt: (thread) => thread.compact([{ from: idOf(thread, "C"), summary: "S." }]), code: "RANGE_EMPTY" },
  "compact: nothing left": { thread: asked, attempt: (thread) => thread.compact([{ summary: "" }]), code: "EMPTY_THREAD" },
  "compact: of an empty thread": { thread: () => createThread(), attempt: (thread) => thread.compact([{ summary: "S." }]), code: "RANGE_EMPTY" },

  "recall: nothing": { thread: asked, attempt: (thread) => thread.recall(bad(undefined)), code: "INVALID_INPUT" },
  "recall: an unknown handle": { thread: asked, attempt: (thread) => thread.recall({ handle: "x" }), code: "HANDLE_UNKNOWN" },
  "recall: lines that are none": { thread: asked, attempt: (thread) => thread.recall({ handle: "x", lines: "a-b" }), code: "INVALID_INPUT" },
  "undo: an unknown edit": { thread: asked, attempt: (thread) => thread.undo("x"), code: "INVALID_INPUT" },
  "pin: beyond the log": { thread: asked, attempt: (thread) => thread.pin(5), code: "INVALID_INPUT" },
  "pin: no position": { thread: asked, attempt: (thread) => thread.pin(bad("0")), code: "INVALID_INPUT" },
  "unpin: an unknown pin": { thread: asked, attempt: (thread) => thread.unpin("pin-0"), code: "INVALID_INPUT" },
  "truncate: beyond the log": { thread: asked, attempt: (thread) => thread.truncate(6), code: "INVALID_INPUT" },
};

describe("what cannot be done throws, and changes nothing", () => {
  for (const [name, { thread: make, attempt, code, data }] of Object.entries(CASES)) {
    test(name, () => {
      const thread = make();
      const before = JSON.stringify(thread);
      let told = 0;
      thread.on("messages-updated", () => told++);
      assert.throws(() => attempt(thread), data === undefined ? { code } : { code, data });
      assert.equal(JSON.stringify(thread), before);
      assert.equal(told, 0);
    });
  }

  test("and the thread goes on", () => {
    const thread = waiting();
    for (const { attempt } of Object.values(CASES).filter((entry) => entry.thread === waiting)) assert.throws(() => attempt(thread));
    thread.toolResults([result("3")]);
    assert.equal(outline(thread).at(-1), "user: {3: found 3} {4: found 4} <D>");
  });
});

describe("invalid options", () => {
  const cases: Readonly<Record<string, { readonly options: object; readonly path: string }>> = {
    "an unknown option": { options: { reminders: "x" }, path: "options.reminders" },
    "not true or false": { options: { compact: "yes" }, path: "options.compact" },
    "tools that are none": { options: { tools: {} }, path: "options.tools" },
    "tools without names": { options: { tools: [{}] }, path: "options.tools" },
    "a tool called compact": { options: { tools: [{ name: "compact" }] }, path: "options.tools" },
    "a tool called recall": { options: { tools: [{ name: "recall" }], compact: false }, path: "options.tools" },
    "a policy that is none": { options: { policy: "agressive" }, path: "options.policy" },
    "a preset of a policy that is none": { options: { policy: { preset: "wild" } }, path: "options.policy.preset" },
    "a number of a policy that is none": { options: { policy: { budget: 0 } }, path: "options.policy.budget" },
    "a target of a policy that is none": { options: { policy: { target: { thinking: "maybe" } } }, path: "options.policy.target.thinking" },
    "a tool of a policy that is none": { options: { policy: { tools: { grep: { keep: "all" } } } }, path: "options.policy.tools.grep.keep" },
    "limits of a policy that cross": { options: { policy: { highTokens: 1, lowTokens: 2 } }, path: "options.policy.lowTokens" },
    "a way to prune that is none": { options: { prune: { strategy: "all" } }, path: "options.prune.strategy" },
    "a policy beside what it decides itself": { options: { policy: "balanced", budget: {} }, path: "options.budget" },
    "a reminder that is none": { options: { reminder: 3 }, path: "options.reminder" },
    "an unknown way to strip": { options: { strip: "some" }, path: "options.strip" },
    "a target that is none": { options: { target: { thinking: "maybe" } }, path: "options.target.thinking" },
    "compress with more": { options: { compress: { maxToolResultTokens: 1, collapseAfterTurns: 1 } }, path: "options.compress.collapseAfterTurns" },
    "compress with less than nothing": { options: { compress: { maxToolResultTokens: -1 } }, path: "options.compress.maxToolResultTokens" },
    "collapse with more": { options: { collapse: { maxToolResultTokens: 1 } }, path: "options.collapse.maxToolResultTokens" },
    "a budget that is none": { options: { budget: 40_000 }, path: "options.budget" },
    "a budget with more": { options: { budget: { inputTokens: 1 } }, path: "options.budget.inputTokens" },
    "a budget in words": { options: { budget: { inputTokenBudget: "9" } }, path: "options.budget.inputTokenBudget" },
  };
  for (const [name, { options, path }] of Object.entries(cases)) {
    test(name, () => {
      assert.throws(
        () => createThread(options),
        (error: { code: string; data: { path: string } }) => error.code === "INVALID_OPTION" && error.data.path === path,
      );
    });
  }

  test("not an object", () => {
    assert.throws(() => createThread(bad("x")), { code: "INVALID_OPTION" });
  });

  test("a reminder that returns no text leaves the thread as it was", () => {
    const thread = createThread({ reminder: () => bad(3) });
    assert.throws(() => thread.user("q"), { code: "INVALID_OPTION", data: { path: "options.reminder()", expected: "a string or undefined", found: "3" } });
    assert.equal(thread.log().length, 0);
  });

  test("undefined counts as left out", () => {
    const thread = createThread({ compress: undefined, tools: undefined, reminder: undefined } as never);
    thread.user("q");
    assert.deepEqual(outline(thread), ["user: q <A>"]);
  });
});
