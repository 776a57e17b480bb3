/** Your own loop around a thread. The thread holds the conversation, runs its own tools, and says what comes next. */
import assert from "node:assert/strict";
import { reader, readerKey, readerPage, startProviderDouble } from "palimpsest/testing";
// #region loop
import Anthropic from "@anthropic-ai/sdk";
import { createThread } from "palimpsest/agent";

// #endregion
// A provider on this machine that plays a model; leave out the options of `Anthropic` for the real one.
const provider = await startProviderDouble({ script: reader({ pages: 12 }) });
const client = new Anthropic({ apiKey: "none", baseURL: provider.url });
const tools: Anthropic.Tool[] = ["read_page", "open_vault"].map((name) => ({ name, description: name, input_schema: { type: "object" } }));
function run(name: string, input: unknown): string {
  const { page } = input as { page: number };
  return name === "read_page" ? readerPage(page) : `vault ${page} opened`;
}
// #region loop
const thread = createThread<Anthropic.MessageParam, Anthropic.Tool>({ tools, model: "claude-opus-5-5", policy: "balanced" });
thread.user("Read all pages, then open their vaults.");
for (;;) {
  const response = await client.messages.create({ model: "claude-opus-5-5", max_tokens: 1000, ...thread.request() });
  const { next, calls } = thread.assistant(response); // runs compact and recall itself
  if (next === "tools") thread.toolResults(calls.map(({ id, name, input }) => ({ type: "tool_result", tool_use_id: id, content: run(name, input) })));
  if (next === "user") break;
}
// #endregion
// #region edits
const [first] = thread.edits(); // everything that was shortened
console.log(first?.reason, first?.tokensBefore, first?.tokensAfter);
if (first !== undefined) thread.undo(first.id); // as if it had never been made

const copy = createThread({ tools, state: JSON.parse(JSON.stringify(thread)) }); // goes on from there
// #endregion
const answer = JSON.stringify(thread.log().at(-1));
for (let page = 1; page <= 12; page++) assert.ok(answer.includes(readerKey(page)));
assert.ok(first !== undefined && first.tokensAfter < first.tokensBefore);
assert.deepEqual(copy.log(), thread.log());
await provider.close();
