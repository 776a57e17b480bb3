/** A policy whose thread is kept in a history. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createThread } from "../src/agent/index.ts";
import { openHistory, type History } from "../src/history/index.ts";
import { createCompactor, type Compactor } from "../src/conversation/index.ts";
import { openStore } from "../src/store/open-store.ts";
import { use } from "./support/build.ts";
import { livingRound, SMALL_POLICY } from "./support/history/living-rounds.ts";
import { faults } from "./support/provider-judge.ts";

/** One call of the model: the policy decides, what it decides is committed, and what is sent comes of the history. */
async function call(history: History, compactor: Compactor, atMs: number): Promise<string> {
  const { edits } = compactor.next(await history.messages(), { atMs });
  await history.commitEdits(edits);
  await history.record({ model: "claude-opus-5-5", atMs });
  return JSON.stringify(await history.view());
}

describe("a policy on a history", () => {
  it("sends what it would send without one, and two of them on one thread make one set of edits", async () => {
    const store = await openStore("memory");
    const [a, b] = [await openHistory({ store, thread: "t" }), await openHistory({ store, thread: "t" })];
    const [first, second, alone] = [createCompactor(SMALL_POLICY), createCompactor(SMALL_POLICY), createCompactor(SMALL_POLICY)];
    await a.user("Read all files.");
    for (let round = 1; round <= 12; round++) {
      await a.append(livingRound(round));
      const [viewA, viewB] = await Promise.all([call(a, first, round * 1_000), call(b, second, round * 1_000)]);
      const { messages, edits } = alone.next(await a.messages(), { atMs: round * 1_000 });
      assert.deepEqual([viewA, viewB], [JSON.stringify(messages), JSON.stringify(messages)]);
      assert.deepEqual([await a.edits(), await b.edits()], [edits, edits]);
    }
    assert.ok((await a.edits()).length > 5);
    assert.equal((await a.log({ kinds: ["edit"] })).length, (await a.edits()).length);
    assert.equal((await a.steps()).length, 24);
    assert.deepEqual(faults(await a.view(), { history: true }), []);
  });

  it("is a thread's state, and takes a thread's messages and edits", async () => {
    const history = await openHistory({ store: "memory" });
    const thread = createThread({ compress: { maxToolResultTokens: 20 } });
    thread.user("Read it.");
    thread.request();
    thread.assistant({ content: [use("c1")] });
    thread.toolResults([{ type: "tool_result", tool_use_id: "c1", content: "a long line of output\n".repeat(50) }]);
    await history.append(thread.log());
    await history.commitEdits(thread.edits());
    const state = { version: 1, id: thread.id, log: await history.messages(), edits: await history.edits(), pins: [], seenFrom: 0, held: [] };
    assert.deepEqual(createThread({ state, compress: { maxToolResultTokens: 20 } }).request().messages, thread.request().messages);
    assert.equal((await history.edits()).length, 1);
  });
});
