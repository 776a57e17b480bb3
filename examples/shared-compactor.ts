/** One thread in a store, kept small for several processes by one compactor. */
import assert from "node:assert/strict";
import { readerPage } from "palimpsest/testing";
// #region open
import { openCompactor, openHistory, openStore } from "palimpsest/history";

const store = await openStore("memory"); // or postgres://… where several processes write
const history = await openHistory({ store, thread: "task-42" });
const compactor = await openCompactor({ store, thread: "task-42", preset: "balanced", model: "claude-opus-5-5" });
// #endregion
await history.user("Read all pages.");
let size = 0;
for (let page = 1; page <= 12; page++) {
  await history.assistant([{ type: "tool_use", id: `toolu_${page}`, name: "read_page", input: { page } }]);
  await history.toolResult(`toolu_${page}`, "read_page", readerPage(page));
  // #region next
  const { messages } = await compactor.next(); // the view, for whichever process makes the next call
  // #endregion
  size = JSON.stringify(messages).length;
}
const full = JSON.stringify(await history.messages()).length;
console.log(size, full);
assert.ok(size * 2 < full);
await store.close();
