/** A policy for your own messages: what to send at every call, and why. */
import assert from "node:assert/strict";
import type { Message } from "palimpsest";
import { readerPage } from "palimpsest/testing";
// #region create
import { createCompactor } from "palimpsest/policy";

const compactor = createCompactor({ preset: "balanced", model: "claude-opus-5-5" });
// #endregion
const messages: Message[] = [{ role: "user", content: "Read all pages." }];
for (let page = 1; page <= 12; page++) {
  messages.push({ role: "assistant", content: [{ type: "tool_use", id: `toolu_${page}`, name: "read_page", input: { page } }] });
  messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${page}`, content: readerPage(page) }] });
  // #region next
  const { messages: view, report } = compactor.next(messages, { atMs: Date.now() }); // before every call
  // #endregion
  assert.equal(view.length, messages.length);
  assert.ok(page === 1 || report.tokensAfter < report.tokensBefore);
}
// #region explain
console.log(compactor.explain()?.words); // why the last call was sent as it was
// #endregion
// #region state
const state = JSON.stringify(compactor);
const later = createCompactor({ preset: "balanced", model: "claude-opus-5-5", state: JSON.parse(state) }); // goes on from there
// #endregion
assert.deepEqual(later.next(messages).edits, compactor.next(messages).edits);
