/** An agent loop with OpenAI's SDK. One line makes its context small: `wrapOpenAI`. */
import assert from "node:assert/strict";
import { reader, readerKey, readerPage, startProviderDouble } from "palimpsest/testing";
// #region wrap
import OpenAI from "openai";
import { wrapOpenAI } from "palimpsest/openai";

// #endregion
// A provider on this machine that plays a model. Leave these two lines out for the real one.
const provider = await startProviderDouble({ script: reader({ pages: 12 }) });
Object.assign(process.env, { OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: "none" });
// #region wrap
const client = wrapOpenAI(new OpenAI(), { policy: "balanced" });
// #endregion

const tools = ["read_page", "open_vault"].map((name): OpenAI.ChatCompletionTool => ({ type: "function", function: { name } }));
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Read all pages, then open their vaults." }];
let answer = "";
while (answer === "") {
  const { choices } = await client.chat.completions.create({ model: "gpt-6-sol", messages, tools });
  const message = choices[0]?.message;
  if (message === undefined) break;
  messages.push(message);
  const calls = (message.tool_calls ?? []).filter((call) => call.type === "function");
  if (calls.length === 0) answer = message.content ?? "";
  for (const call of calls) messages.push({ role: "tool", tool_call_id: call.id, content: run(call.function.name, call.function.arguments) });
}

function run(name: string, input: string): string {
  const { page } = JSON.parse(input) as { page: number };
  return name === "read_page" ? readerPage(page) : `vault ${page} opened`;
}

const { inputTokens, fullTokens, dollarsSaved } = client.palimpsest.metrics();
console.log(answer, { inputTokens, fullTokens, dollarsSaved });
for (let page = 1; page <= 12; page++) assert.ok(answer.includes(readerKey(page)));
assert.ok(fullTokens > 2 * inputTokens);
await provider.close();
