import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { faults } from "../../../test/support/provider-judge.ts";
import { use } from "../../../test/support/build.ts";
import { result, says } from "../../../test/support/threads/speak.ts";
import { openStore } from "../../store/open-store.ts";
import { blocksOf, isToolResult, type Message } from "../../messages/message.ts";
import { createThread, openThread, type Thread, type ThreadOptions } from "../index.ts";

const READ = { name: "read" };
const SAID = 'CALL_UNKNOWN: There is no tool "write". Use one of: compact, recall, read.';

function threadWith(options: ThreadOptions = {}): Thread {
  const thread = createThread({ tools: [READ], ...options });
  thread.user("Go.");
  return thread;
}

const resultsIn = (message: Message | undefined): unknown[] =>
  blocksOf(message ?? { role: "user", content: [] })
    .filter(isToolResult)
    .map(({ tool_use_id: id, content, is_error: isError }) => [id, content, isError]);

describe("a call of a tool that the thread does not have", () => {
  test("alone: it is told so, and the model goes on", () => {
    const thread = threadWith();
    const refused: unknown[] = [];
    thread.on("call-refused", ({ tool, error }) => refused.push([tool, error.code, error.data]));
    assert.deepEqual(says(thread, use("w", "write")), { next: "request", calls: [] });
    assert.deepEqual(resultsIn(thread.request().messages.at(-1)), [["w", SAID, true]]);
    assert.deepEqual(refused, [["write", "CALL_UNKNOWN", { id: "w", name: "write", tools: ["compact", "recall", "read"] }]]);
    assert.deepEqual(faults(thread.request().messages), []);
  });

  test("beside others: it waits for their results, and stands in the order of the calls", () => {
    const thread = threadWith();
    const outcome = says(thread, use("1", "write"), use("2", "read"), use("3", "recall", { handle: "none" }), use("4", "fetch"));
    assert.deepEqual([outcome.next, outcome.calls.map(({ id }) => id)], ["tools", ["2"]]);
    assert.throws(() => thread.request(), { code: "RESULTS_MISSING", data: { calls: ["2"] } });
    assert.throws(() => thread.toolResults([result("1")]), { code: "INVALID_INPUT" });
    thread.toolResults([result("2")]);
    const results = resultsIn(thread.request().messages.at(-1)) as [string, string, boolean | undefined][];
    assert.deepEqual(
      results.map(([id, , isError]) => [id, isError]),
      [
        ["1", true],
        ["2", undefined],
        ["3", true],
        ["4", true],
      ],
    );
    assert.match(results[3]?.[1] ?? "", /^CALL_UNKNOWN: There is no tool "fetch"\./);
    assert.deepEqual(faults(thread.request().messages), []);
  });

  test("of a name that only looks like one of ours", () => {
    const thread = threadWith({ compact: false, recall: false });
    assert.equal(says(thread, use("r", "recall", { handle: "x" })).next, "request");
    assert.deepEqual(resultsIn(thread.request().messages.at(-1)), [["r", 'CALL_UNKNOWN: There is no tool "recall". Use one of: read.', true]]);
  });

  test("is the caller's if the thread does not know its tools", () => {
    const thread = createThread();
    thread.user("Go.");
    assert.deepEqual(
      says(thread, use("w", "write")).calls.map(({ id }) => id),
      ["w"],
    );
  });

  test("waits through a restart of a saved thread, and in a branch", () => {
    const thread = threadWith();
    says(thread, use("1", "write"), use("2", "read"));
    const again = createThread({ tools: [READ], state: JSON.parse(JSON.stringify(thread)) });
    const branch = thread.truncate(2);
    for (const each of [again, branch]) {
      each.toolResults([result("2")]);
      assert.deepEqual((resultsIn(each.request().messages.at(-1))[0] as unknown[])[1], SAID);
    }
    thread.toolResults([result("2")]);
    const later = thread.truncate(2);
    later.toolResults([result("2")]);
    assert.deepEqual((resultsIn(later.request().messages.at(-1))[0] as unknown[])[1], SAID);
  });

  test("waits in a store", async () => {
    const store = await openStore("memory");
    const first = await openThread({ store, thread: "t", tools: [READ] });
    first.user("Go.");
    says(first, use("1", "write"), use("2", "read"));
    await first.saved();
    const second = await openThread({ store, thread: "t", tools: [READ] });
    assert.deepEqual(
      second.next().calls.map(({ id }) => id),
      ["2"],
    );
    second.toolResults([result("2")]);
    assert.deepEqual((resultsIn(second.request().messages.at(-1))[0] as unknown[])[1], SAID);
    assert.deepEqual(faults(second.request().messages), []);
  });
});
