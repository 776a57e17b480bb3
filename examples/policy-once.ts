/** A policy used once, on Anthropic's messages and on OpenAI's. */
import assert from "node:assert/strict";
import type OpenAI from "openai";
import { readerPage } from "palimpsest/testing";
// #region once
import { openaiChat } from "palimpsest/formats";
import { compact, policyFor } from "palimpsest/policy";

// #endregion
const pages = Array.from({ length: 12 }, (_, page) => page + 1);
const messages = [
  { role: "user" as const, content: "Read all pages." },
  ...pages.flatMap((page) => [
    { role: "assistant" as const, content: [{ type: "tool_use" as const, id: `toolu_${page}`, name: "read_page", input: { page } }] },
    { role: "user" as const, content: [{ type: "tool_result" as const, tool_use_id: `toolu_${page}`, content: readerPage(page) }] },
  ]),
];
const chat: OpenAI.ChatCompletionMessageParam[] = openaiChat.encode(messages) as OpenAI.ChatCompletionMessageParam[];
// #region once
const { messages: view, report } = compact(messages, { budget: 60_000 });
const { messages: chatView } = policyFor(openaiChat).compact(chat, { budget: 60_000 });
// #endregion
console.log(report.tokensBefore, report.tokensAfter);
assert.ok(report.tokensAfter <= 60_000 && JSON.stringify(chatView).length < JSON.stringify(chat).length);
assert.equal(view.length, messages.length);
