/** The foundation: a log that is never changed, edits on top of it, and the view of the two. */
import assert from "node:assert/strict";
import type { Message } from "palimpsest";
// #region edit
import { makeEdit, render, report } from "palimpsest";

// #endregion
const log: Message[] = [
  { role: "user", content: "Do the tests pass?" },
  { role: "assistant", content: [{ type: "tool_use", id: "toolu_01", name: "bash", input: { command: "npm test" } }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_01", content: "ok\n".repeat(8_000) }] },
];
// #region edit
const edit = makeEdit({
  kind: "replace-result",
  at: { position: 2, block: 0 },
  callId: "toolu_01",
  form: "stub",
  content: "npm test: 214 passed",
  pass: "by-hand",
  reason: "only the outcome matters",
  madeAt: log.length,
  tokensBefore: 8_120,
  tokensAfter: 6,
});

const view = render(log, [edit]); // the messages to send
const { positions } = report(log, [edit]); // where every message went, and by which edit
const before = render(log, [{ ...edit, undoneAt: log.length }]); // the log again, the same objects
// #endregion
console.log(JSON.stringify(view.at(-1)), positions);
assert.match(JSON.stringify(view), /214 passed/);
assert.ok(before.every((message, position) => message === log[position]));
