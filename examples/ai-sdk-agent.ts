/** An agent of the AI SDK. One middleware makes its context small: `palimpsestMiddleware`. */
import assert from "node:assert/strict";
import { createAnthropic } from "@ai-sdk/anthropic";
import { reader, readerKey, readerPage, startProviderDouble } from "palimpsest/testing";
// #region wrap
import { generateText, jsonSchema, stepCountIs, tool, wrapLanguageModel } from "ai";
import { palimpsestMiddleware } from "palimpsest/ai-sdk";

// #endregion
// A provider on this machine that plays a model; leave out `baseURL` for the real one.
const provider = await startProviderDouble({ script: reader({ pages: 12 }) });
const anthropic = createAnthropic({ apiKey: "none", baseURL: `${provider.url}/v1` });
const inputSchema = jsonSchema<{ page: number }>({ type: "object", properties: { page: { type: "number" } } });
const tools = {
  read_page: tool({ inputSchema, execute: ({ page }) => readerPage(page) }),
  open_vault: tool({ inputSchema, execute: ({ page }) => `vault ${page} opened` }),
};
// #region wrap
const middleware = palimpsestMiddleware({ policy: "balanced" });
const { text } = await generateText({
  model: wrapLanguageModel({ model: anthropic("claude-opus-5-5"), middleware }),
  prompt: "Read all pages, then open their vaults.",
  stopWhen: stepCountIs(50),
  tools,
});
// #endregion
const { inputTokens, fullTokens, dollarsSaved } = middleware.palimpsest.metrics();
console.log(text, { inputTokens, fullTokens, dollarsSaved });
for (let page = 1; page <= 12; page++) assert.ok(text.includes(readerKey(page)));
assert.ok(fullTokens > 2 * inputTokens);
await provider.close();
