/** Replaces old messages with your own summaries: any function that turns text into a shorter text. */
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
// #region summarizer
import { summarizeAndPrune, type Summarizer } from "palimpsest";

// #endregion
import { checkMessages, type Message } from "palimpsest";
import { startProviderDouble } from "palimpsest/testing";

// A provider on this machine that plays a model; leave out `baseURL` for the real one.
const provider = await startProviderDouble({ script: ({ messages }) => ({ text: `In short: ${messages.at(-1)?.text.length ?? 0} characters.` }) });
const client = new Anthropic({ apiKey: "none", baseURL: provider.url });

// #region summarizer
const summarizer: Summarizer = async ({ text, system }) => {
  const { content } = await client.messages.create({ model: "claude-haiku-5-5", max_tokens: 500, system, messages: [{ role: "user", content: text }] });
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
};
// #endregion

const messages: Message[] = Array.from({ length: 20 }, (_, turn): Message[] => [
  { role: "user", content: `Question ${turn}` },
  { role: "assistant", content: [{ type: "tool_use", id: `toolu_${turn}`, name: "search", input: { turn } }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${turn}`, content: "A long result. ".repeat(50) }] },
  { role: "assistant", content: `Answer ${turn}` },
]).flat();
messages.push({ role: "user", content: "And now?" });

// #region summarizer
const view = await summarizeAndPrune(messages, { strategy: "summarize", maxTurns: 10 }, summarizer);
// #endregion
console.log(view[0], `${messages.length} messages before, ${view.length} after`);
assert.match(JSON.stringify(view[0]), /In short: \d+ characters\./);
assert.deepEqual(checkMessages(view), []);
await provider.close();
