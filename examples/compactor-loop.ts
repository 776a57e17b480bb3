/** Your own loop: a compactor makes each request small, and `runRecall` answers the calls that bring originals back. */
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
// #region recall
import { createCompactor, recallTool, runRecall } from "palimpsest/policy";

// #endregion
import { reader, readerKey, readerPage, startProviderDouble } from "palimpsest/testing";

// A provider on this machine that plays a model; leave out `baseURL` for the real one.
const provider = await startProviderDouble({ script: reader({ pages: 6 }) });
const client = new Anthropic({ apiKey: "none", baseURL: provider.url });
const compactor = createCompactor({ preset: "tight", model: "claude-opus-5-5", firstSightTokens: 200, firstSightFileTokens: 200 });

const input_schema = { type: "object" } as const;
const tools = [{ name: "read_page", input_schema }, { name: "open_vault", input_schema }, recallTool] as Anthropic.Tool[];
const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Read all pages, then open their vaults." }];
let answer = "";
while (answer === "") {
  const view = compactor.next(messages).messages as Anthropic.MessageParam[];
  const message = await client.messages.create({ model: "claude-opus-5-5", max_tokens: 1024, tools, messages: view });
  messages.push({ role: "assistant", content: message.content });
  const calls = message.content.filter((block) => block.type === "tool_use");
  const results = calls.map(({ id, name, input }) => ({ type: "tool_result" as const, tool_use_id: id, content: run(name, input) }));
  if (results.length > 0) messages.push({ role: "user", content: results });
  else answer = message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

function run(name: string, input: unknown): string {
  // #region recall
  if (name === recallTool.name) return runRecall(compactor, input) as string;
  // #endregion
  const { page } = input as { page: number };
  return name === "read_page" ? readerPage(page) : `vault ${page} opened`;
}

const cut = compactor.handles();
console.log(answer, `${cut.length} originals can be recalled, such as ${cut[0] ?? ""}.`);
for (let page = 1; page <= 6; page++) assert.ok(answer.includes(readerKey(page)));
assert.ok(cut.length >= 6);
await provider.close();
