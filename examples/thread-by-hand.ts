/** What a caller can do with a thread: summaries between checkpoints, recall, pins, undo and branches. */
import assert from "node:assert/strict";
import { createThread } from "palimpsest/agent";

const thread = createThread();
thread.user("Which files read the port? Leave the vendored code alone.");
for (const number of [1, 2, 3]) {
  thread.assistant({ content: [{ type: "tool_use", id: `toolu_${number}`, name: "read_file", input: { path: `src/part-${number}.ts` } }] });
  const lines = Array.from({ length: 50 }, (_, line) => `${line}: const part${number} = ${line === 8 ? "env.PORT" : "{}"};`);
  thread.toolResults([{ type: "tool_result", tool_use_id: `toolu_${number}`, content: lines.join("\n") }]);
}
thread.assistant({ content: [{ type: "text", text: "All three, in line 8." }] });
// #region compact
const pin = thread.pin(0, "a rule of the user's"); // now no edit may remove this message

const [from = "", , , to = ""] = thread.checkpoints().map(({ id }) => id); // the first and the fourth: every user message ends with one
const [edit] = thread.compact([{ from, to, summary: "Three files read the port: src/part-1.ts to part-3.ts, in line 8." }]);
// #endregion
assert.ok(edit?.handle !== undefined);
thread.user("Show me that line.");
const view = thread.request().messages;
// #region recall
const { content } = thread.recall({ handle: edit.handle, grep: "env\\.PORT" }); // lines of the original
// #endregion
console.log(content);
// #region undo
thread.undo(edit.id); // the original is shown again
thread.unpin(pin.id);
const branch = thread.truncate(3); // a thread of its own with the first three messages
// #endregion
assert.match(JSON.stringify(content), /8: const part3 = env\.PORT/);
assert.ok(JSON.stringify(view).length * 4 < JSON.stringify(thread.request().messages).length);
assert.equal(branch.log().length, 3);
