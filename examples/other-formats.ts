/** The same functions on the messages of other providers, typed as their SDKs type them. */
import assert from "node:assert/strict";
import type Anthropic from "@anthropic-ai/sdk";
import type OpenAI from "openai";
// #region formats
import { forFormat, openaiChat, placeCacheMarkers } from "palimpsest/formats";

// #endregion
const messages: OpenAI.ChatCompletionMessageParam[] = Array.from({ length: 40 }, (_, turn): OpenAI.ChatCompletionMessageParam[] => [
  { role: "user", content: `Question ${turn}` },
  { role: "assistant", content: null, tool_calls: [{ id: `call_${turn}`, type: "function", function: { name: "search", arguments: "{}" } }] },
  { role: "tool", tool_call_id: `call_${turn}`, content: "A result." },
  { role: "assistant", content: `Answer ${turn}` },
]).flat();
messages.push({ role: "user", content: "And now?" });
const request: Anthropic.MessageCreateParams = { model: "claude-opus-5-5", max_tokens: 1000, messages: [{ role: "user", content: "Hello" }] };
// #region formats
const chat = forFormat(openaiChat);
const view = chat.pruneMessages(messages, { strategy: "sliding-window", maxTurns: 60 }); // ChatCompletionMessageParam[]
const findings = chat.checkMessages(view); // what OpenAI would refuse, in its own words

const marked = placeCacheMarkers(request); // Anthropic's cache markers: at most four, yours included
// #endregion
console.log(messages.length, view.length, JSON.stringify(marked.messages));
assert.ok(view.length < messages.length);
assert.deepEqual(findings, []);
assert.match(JSON.stringify(marked), /cache_control/);
