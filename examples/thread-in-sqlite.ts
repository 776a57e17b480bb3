/** An agent whose thread lives in SQLite: interrupted in the middle of its work, and resumed as if nothing had happened. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import Anthropic from "@anthropic-ai/sdk";
import { reader, readerKey, readerPage, startProviderDouble } from "palimpsest/testing";
// #region work
import { openThread } from "palimpsest/agent";

// #endregion
// A provider on this machine that plays a model; leave out `baseURL` for the real one.
const provider = await startProviderDouble({ script: reader({ pages: 4 }) });
const client = new Anthropic({ apiKey: "none", baseURL: provider.url });
const folder = mkdtempSync(`${tmpdir()}/palimpsest-`);
const store = `sqlite:${folder}/agent.db`;
const tools: Anthropic.Tool[] = ["read_page", "open_vault"].map((name) => ({ name, description: name, input_schema: { type: "object" } }));
// #region work
/** Works until the task is done, or for a number of steps. Each step is durable before the next one begins. */
async function work(steps: number): Promise<string | undefined> {
  const thread = await openThread<Anthropic.MessageParam, Anthropic.Tool>({ store, thread: "task-42", tools, compress: { maxToolResultTokens: 200 } });
  if (thread.log().length === 0) thread.user("Read all pages, then open their vaults.");
  for (let step = 0; step < steps && thread.next().next !== "user"; step++) {
    const { next, calls } = thread.next();
    if (next === "request") {
      const { messages, tools: all } = thread.request();
      thread.assistant(await client.messages.create({ model: "claude-opus-5-5", max_tokens: 1000, messages, tools: all }));
    } else thread.toolResults(calls.map(({ id, name, input }) => ({ type: "tool_result", tool_use_id: id, content: run(name, input) })));
    await thread.saved();
  }
  await thread.close();
  return thread.next().next === "user" ? JSON.stringify(thread.log().at(-1)) : undefined;
}
// #endregion
function run(name: string, input: unknown): string {
  const { page } = input as { page: number };
  return name === "read_page" ? readerPage(page) : `vault ${page} opened`;
}
assert.equal(await work(5), undefined, "interrupted, with a call that waits for its result");
const answer = (await work(1_000)) ?? "";
console.log(answer);
for (let page = 1; page <= 4; page++) assert.ok(answer.includes(readerKey(page)), "its keys were cut out of the view, and recalled");
await provider.close();
rmSync(folder, { recursive: true });
