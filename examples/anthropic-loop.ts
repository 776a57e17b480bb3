/** An agent loop with Anthropic's SDK. One line makes its context small: `wrapAnthropic`. */
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { wrapAnthropic } from "palimpsest/anthropic";
import { reader, readerKey, readerPage, startProviderDouble } from "palimpsest/testing";

// A provider on this machine that plays a model; leave out `baseURL` for the real one.
const provider = await startProviderDouble({ script: reader({ pages: 6 }) });
const client = wrapAnthropic(new Anthropic({ apiKey: "none", baseURL: provider.url }), { compress: { maxToolResultTokens: 200 } });

const tools: Anthropic.Tool[] = ["read_page", "open_vault"].map((name) => ({ name, description: name, input_schema: { type: "object" } }));
const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Read all pages, then open their vaults." }];
let answer = "";
while (answer === "") {
  const { content } = await client.messages.create({ model: "claude-opus-5-5", max_tokens: 1000, messages, tools });
  messages.push({ role: "assistant", content });
  const calls = content.filter((block) => block.type === "tool_use");
  if (calls.length === 0) answer = content.map((block) => (block.type === "text" ? block.text : "")).join("");
  else messages.push({ role: "user", content: calls.map(({ id, name, input }) => ({ type: "tool_result", tool_use_id: id, content: run(name, input) })) });
}

function run(name: string, input: unknown): string {
  const { page } = input as { page: number };
  return name === "read_page" ? readerPage(page) : `vault ${page} opened`;
}

const { inputTokens, fullTokens, dollarsSaved } = client.palimpsest.metrics();
console.log(answer, { inputTokens, fullTokens, dollarsSaved });
// The keys were cut out of the view long before they were needed: the model recalled them.
for (let page = 1; page <= 6; page++) assert.ok(answer.includes(readerKey(page)));
assert.ok(fullTokens > inputTokens);
await provider.close();
