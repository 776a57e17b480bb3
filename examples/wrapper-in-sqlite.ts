/** A wrapped client whose conversations live in SQLite: after a restart it continues with the same bytes. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import Anthropic from "@anthropic-ai/sdk";
import { wrapAnthropic } from "palimpsest/anthropic";
import { reader, readerKey, readerPage, startProviderDouble } from "palimpsest/testing";

// A provider on this machine that plays a model. Leave these two lines out for the real one.
const provider = await startProviderDouble({ script: reader({ pages: 12 }) });
Object.assign(process.env, { ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: "none" });
const folder = mkdtempSync(`${tmpdir()}/palimpsest-`);
const tools: Anthropic.Tool[] = ["read_page", "open_vault"].map((name) => ({ name, description: name, input_schema: { type: "object" } }));
const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Read all pages, then open their vaults." }];

/** Works until the model is done, or for a number of calls, as a separate process would. */
async function work(calls: number): Promise<string> {
  // #region store
  const client = wrapAnthropic(new Anthropic(), { policy: "balanced", store: `sqlite:${folder}/agent.db` });
  // #endregion
  let answer = "";
  for (let call = 0; call < calls && answer === ""; call++) {
    const { content } = await client.messages.create({ model: "claude-opus-5-5", max_tokens: 1000, messages, tools });
    messages.push({ role: "assistant", content });
    const uses = content.filter((block) => block.type === "tool_use");
    if (uses.length === 0) answer = content.map((block) => (block.type === "text" ? block.text : "")).join("");
    else messages.push({ role: "user", content: uses.map(({ id, name, input }) => ({ type: "tool_result", tool_use_id: id, content: run(name, input) })) });
  }
  await client.palimpsest.close(); // Everything is saved, and the store is closed.
  return answer;
}
function run(name: string, input: unknown): string {
  const { page } = input as { page: number };
  return name === "read_page" ? readerPage(page) : `vault ${page} opened`;
}
assert.equal(await work(15), "");
const answer = await work(1_000);
console.log(answer);
for (let page = 1; page <= 12; page++) assert.ok(answer.includes(readerKey(page)));
rmSync(folder, { recursive: true });
await provider.close();
