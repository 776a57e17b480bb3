/** The tokens of a text, the cost of requests, and what a model accepts. */
import assert from "node:assert/strict";
import type { Message } from "palimpsest";
// #region tokens
import { estimateTokens } from "palimpsest"; // one pass, no tables of a tokenizer
import { exactTokens } from "palimpsest/exact-tokens"; // o200k; needs the package gpt-tokenizer
import { costOf, targetFor } from "palimpsest/pricing";

// #endregion
const text = "An agent resends its whole history on every model call, and tool results fill it.";
const first: Message[] = [{ role: "user", content: text.repeat(500) }];
const messages: Message[] = [...first, { role: "assistant", content: "I see." }, { role: "user", content: "Go on." }];
const requests = [first, messages].map((sent, call) => ({ messages: sent, outputTokens: 10, atMs: call * 60_000 }));
// #region tokens
const estimate = estimateTokens(text);
const exact = exactTokens(text);
const { total } = costOf(requests, "claude-opus-4-8"); // dollars; tokens read from and written to the cache
const target = targetFor("claude-sonnet-4-5"); // the last parameter of render, checkMessages and every function
// #endregion
console.log({ estimate, exact, total, target });
assert.ok(Math.abs(estimate - exact) < 0.25 * exact);
assert.ok(total.dollars > 0);
