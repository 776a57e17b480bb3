/** An agent that knows nothing about palimpsest, through the proxy. Here both are started; usually you run `palimpsest proxy`. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import Anthropic from "@anthropic-ai/sdk";
import { reader, readerKey, readerPage, startProviderDouble } from "palimpsest/testing";

const provider = await startProviderDouble({ script: reader({ pages: 12 }) });
const settings = ["--port", "0", "--store", "memory", "--anthropic-upstream", provider.url];
const proxy = spawn(process.execPath, ["src/cli/main.ts", "proxy", ...settings, "--json"]);
const { url } = JSON.parse(await new Promise<string>((resolve) => proxy.stdout.once("data", (line) => resolve(String(line))))) as { url: string };
// #region agent
const client = new Anthropic({ apiKey: "none", baseURL: url }); // ANTHROPIC_BASE_URL does the same
// #endregion
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
const sent = Math.max(...provider.requests.map(({ body }) => JSON.stringify(body).length));
console.log(answer, `largest request: ${sent} characters, of ${JSON.stringify(messages).length}`);
for (let page = 1; page <= 12; page++) assert.ok(answer.includes(readerKey(page)));
assert.ok(sent * 2 < JSON.stringify(messages).length);
proxy.kill();
await provider.close();
