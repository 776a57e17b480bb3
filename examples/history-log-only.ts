/** The same with only the log and its metadata: the queries are a convenience, the primitives are enough. */
import assert from "node:assert/strict";
import { openHistory } from "palimpsest/history";

const history = await openHistory({ store: "memory" });
await history.user("Which tests fail?");
await history.assistant([
  { type: "tool_use", id: "call_1", name: "grep", input: { pattern: "FAIL" } },
  { type: "tool_use", id: "call_2", name: "ls", input: {} },
]);
await history.toolResult("call_1", "grep", Array.from({ length: 100 }, (_, line) => `out.log:${line}: FAIL test_${line % 2}`).join("\n"));
await history.toolResult("call_2", "ls", "out.log\nsrc");
await history.assistant("test_0 and test_1.");

for (const entry of await history.log()) {
  const { hash, name, metadata } = await history.getCommit(entry.hash);
  if (name !== "grep" || metadata.toolCallId === undefined) continue;
  await history.toolResult(metadata.toolCallId, name, "out.log: FAIL test_0, FAIL test_1", { edit: hash });
}

const view = await history.view();
console.log(JSON.stringify(view[2]));
assert.deepEqual(view[2]?.content, [
  { type: "tool_result", tool_use_id: "call_1", content: "out.log: FAIL test_0, FAIL test_1" },
  { type: "tool_result", tool_use_id: "call_2", content: "out.log\nsrc" },
]);
