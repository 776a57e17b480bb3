/** Whatever is said while calls wait for their results: the view of a history can be sent, or says why not. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { answeredView, INTERRUPTED_RESULT } from "../src/history/answered-view.ts";
import { openCompactor, openHistory, openStore, type History } from "../src/history/index.ts";
import type { Message } from "../src/messages/message.ts";
import { assistant, res, serverRes, serverUse, text, use, user } from "./support/build.ts";
import { checkAsyncProperty } from "./support/check-property.ts";
import { faults } from "./support/provider-judge.ts";

const start = async (): Promise<History> => {
  const history = await openHistory({ store: "memory" });
  await history.user("q");
  await history.assistant([use("c1"), use("c2")]);
  return history;
};

describe("a call that a crash left open", () => {
  it("is shown with a result that says so once the user speaks", async () => {
    const history = await start();
    await history.toolResult("c1", "read", "found");
    await history.user("go on");
    const view = await history.view();
    assert.deepEqual(view.slice(2), [user(res("c1", "found")), user(res("c2", INTERRUPTED_RESULT, { is_error: true })), user("go on")]);
    assert.deepEqual(faults(view), []);
  });

  it("gets its result where it comes before the model goes on: what was said meanwhile waits for it", async () => {
    const history = await start();
    await history.user("hurry");
    await history.toolResult("c1", "read", "one");
    await history.toolResult("c2", "read", "two");
    const view = await history.view();
    assert.deepEqual(view.slice(2), [user(res("c1", "one"), res("c2", "two")), user("hurry")]);
  });

  it("keeps the result that the model has seen, and a late one is shown as text", async () => {
    const history = await start();
    await history.user("go on");
    const before = await history.view();
    await history.assistant("without it, then");
    await history.toolResult("c1", "read", "late");
    const view = await history.view();
    assert.deepEqual(view.slice(0, before.length), before);
    assert.deepEqual(view.at(-1), user(text("[The result of call c1 came late:]\nlate")));
    assert.deepEqual(faults(view), []);
  });

  it("stands inside another result where the provider waits for results and takes nothing else", () => {
    const caller = { type: "code_execution_20250825", tool_id: "s1" };
    const paused = assistant(serverUse("s1", "code_execution"), use("c2", "read", {}, { caller }));
    const log = [
      user("q"),
      assistant(use("c1")),
      user("go on"),
      paused,
      user(res("c2", "two"), res("c1", "late")),
      assistant(serverRes("s1", "code_execution")),
    ];
    const view = answeredView(log);
    assert.deepEqual(view.at(-2), user(res("c2", [text("two"), text("[The result of call c1 came late:]\nlate")])));
    assert.deepEqual(faults(view, { history: true }), []);
  });

  it("may be waited for while nothing else is said, and whoever sends the view is told", async () => {
    const history = await start();
    await history.toolResult("c1", "read", "found");
    assert.deepEqual((await history.view()).length, 3);
    await assert.rejects(history.view({ sendable: true }), { code: "RESULTS_MISSING", data: { calls: ["c2"] } });
    await history.toolResult("c2", "read", "interrupted", { isError: true });
    assert.deepEqual(faults(await history.view({ sendable: true })), []);
    await history.append([user(text("x"), res("unknown"))]);
    await assert.rejects(history.view({ sendable: true }), { code: "INVALID_INPUT", message: /cannot be sent/ });
    await assert.rejects((await openHistory({ store: "memory" })).view({ sendable: true }), { code: "EMPTY_THREAD" });
  });

  it("is answered in what a compactor sends too", async () => {
    const store = await openStore("memory");
    const history = await openHistory({ store, thread: "t" });
    await history.append([user("q"), { role: "assistant", content: [use("c1")] }, user("go on")]);
    const { messages } = await (await openCompactor({ store, thread: "t" })).next();
    assert.deepEqual(faults(messages), []);
  });
});

type Event = { readonly kind: "user" | "assistant" | "joined"; readonly calls: number } | { readonly kind: "result"; readonly which: number };

const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constantFrom("user" as const, "assistant" as const, "joined" as const), calls: fc.nat({ max: 3 }) }),
  fc.record({ kind: fc.constant("result" as const), which: fc.nat({ max: 9 }) }),
  fc.record({ kind: fc.constant("result" as const), which: fc.nat({ max: 9 }) }),
);

describe("a view of a history", () => {
  it("is accepted by the provider after every event, and what was sent stays as it was", async () => {
    await checkAsyncProperty("open calls", [fc.array(event, { maxLength: 25 })], async (events) => {
      const history = await openHistory({ store: "memory" });
      await history.user("q");
      const open: string[] = [];
      let ids = 0;
      let sent: readonly Message[] = [];
      for (const one of events) {
        if (one.kind === "result") {
          const [id] = open.splice(one.which % Math.max(1, open.length), 1);
          if (id !== undefined) await history.toolResult(id, "read", `result of ${id}`);
        } else if (one.kind === "user") await history.user("said");
        else if (one.kind === "joined") {
          const [id] = open.splice(0, 1);
          await history.append([user(text("said"), ...(id === undefined ? [] : [res(id, `appended ${id}`)]))]);
        } else {
          sent = await history.view({ sendable: true }).catch(() => sent);
          const calls = Array.from({ length: one.calls }, () => `c${ids++}`);
          await history.assistant(calls.length === 0 ? "an answer" : calls.map((id) => use(id, "read")));
          open.push(...calls);
        }
        const view = await history.view();
        assert.deepEqual(faults(view, { history: true }), []);
        const sendable = await history.view({ sendable: true }).catch(() => undefined);
        if (sendable !== undefined) assert.deepEqual(faults(sendable), []);
        else assert.ok(view.at(-1)?.role === "assistant" || faults(view).length > 0, "it is refused for a reason");
        if (one.kind === "assistant") assert.deepEqual((await history.view()).slice(0, sent.length), sent);
      }
    });
  });
});
