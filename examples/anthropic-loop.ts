/** An agent loop with Anthropic's SDK. One line makes its context small: `wrapAnthropic`. */
import assert from "node:assert/strict";
import { reader, readerKey, readerPage, startProviderDouble } from "palimpsest/testing";
// #region wrap
import Anthropic from "@anthropic-ai/sdk";
import { wrapAnthropic } from "palimpsest/anthropic";

// #endregion
// A provider on this machine that plays a model. Leave these two lines out for the real one.
const provider = await startProviderDouble({ script: reader({ pages: 12 }) });
Object.assign(process.env, { ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: "none" });
// #region wrap
const client = wrapAnthropic(new Anthropic(), { policy: "balanced" });
// #endregion

const tools: Anthropic.Tool[] = ["read_page", "open_vault"].map((name) => ({ name, description: name, input_schema: { type: "object" } }));
const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Read all pages, then open their vaults." }];
let answer = "";
// #region loop
while (answer === "") {
  const { content } = await client.messages.create({ model: "claude-opus-5-5", max_tokens: 1000, messages, tools });
  messages.push({ role: "assistant", content });
  const calls = content.filter((block) => block.type === "tool_use");
  if (calls.length === 0) answer = content.map((block) => (block.type === "text" ? block.text : "")).join("");
  else messages.push({ role: "user", content: calls.map(({ id, name, input }) => ({ type: "tool_result", tool_use_id: id, content: run(name, input) })) });
}
// #endregion
function run(name: string, input: unknown): string {
  const { page } = input as { page: number };
  return name === "read_page" ? readerPage(page) : `vault ${page} opened`;
}
// #region metrics
const { inputTokens, fullTokens, dollarsSaved } = client.palimpsest.metrics();
console.log({ inputTokens, fullTokens, dollarsSaved });
// #endregion
// The keys were cut out of the view long before they were needed: the model recalled them.
for (let page = 1; page <= 12; page++) assert.ok(answer.includes(readerKey(page)));
assert.ok(fullTokens > 2 * inputTokens && dollarsSaved > 0);
await provider.close();
