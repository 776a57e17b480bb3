import assert from "node:assert/strict";
import { test } from "node:test";
import { comparable, logOf, messagesOf, recordsWith } from "../../../test/support/formats/document-transcript.ts";
import { blocksOf } from "../../messages/message.ts";
import { geminiCli } from "./gemini-cli.ts";

const NO_TOKENS = { input: 0, output: 0, cached: 0, thoughts: 0, tool: 0, total: 0 };

function session(...messages: readonly object[]): { readonly sessionId: string; readonly messages: readonly object[] } {
  return { sessionId: "s", messages: messages.map((message, number) => ({ id: String(number), timestamp: "2026-01-01T00:00:00.500Z", ...message })) };
}

test("what the terminal shows is no message, and stays where it stood", () => {
  const document = session({ type: "user", content: "Hi." }, { type: "info", content: "An update." }, { type: "gemini", content: "Ho." });
  assert.equal(logOf(geminiCli, document).length, 2);
  assert.deepEqual(recordsWith(geminiCli, document, (log) => log.slice(1)), document.messages.slice(1)); // prettier-ignore
  assert.deepEqual(recordsWith(geminiCli, document, () => []), [document.messages[1]]); // prettier-ignore
});

test("times, models and what was used are read; a record that no model was asked for has no usage", () => {
  const tokens = { input: 100, output: 5, cached: 60, thoughts: 7, tool: 0, total: 112 };
  const document = session({ type: "gemini", content: "Ho.", model: "m", tokens }, { type: "gemini", content: "Ha.", model: "m", tokens: NO_TOKENS });
  const [first, second] = messagesOf(geminiCli, document);
  assert.deepEqual(first?.usage, { inputTokens: 100, cacheReadTokens: 60, cacheWriteTokens: 0, outputTokens: 12 });
  assert.equal(first?.atMs, Date.UTC(2026, 0, 1, 0, 0, 0, 500));
  assert.equal(second?.usage, undefined);
});

test("content in parts, results of any shape and calls without a result are read", () => {
  const calls = [
    { id: "a", name: "look", args: {}, result: [{ functionResponse: { response: { rows: [1] } } }, { text: "and more" }] },
    { id: "b", name: "look", args: {}, result: [], status: "cancelled" },
    { id: "c", name: "look", args: {} },
  ];
  const document = session({ type: "user", content: [{ text: "Hi" }, { text: "you." }] }, { type: "gemini", content: "", toolCalls: calls });
  assert.deepEqual(comparable(logOf(geminiCli, document)), [
    { role: "user", shown: [{ type: "text", text: "Hi\nyou." }] },
    { role: "assistant", shown: [0, 1, 2].map((call) => ({ call, name: "look", input: {} })) },
    { role: "user", shown: [{ answers: 0, text: '{"rows":[1]}\nand more', error: false }] },
  ]);
});

test("a shortened result is not shown to people in full either", () => {
  const call = { id: "a", name: "look", args: {}, result: [{ functionResponse: { response: { output: "long" } } }], resultDisplay: "long" };
  const document = session({ type: "gemini", content: "", toolCalls: [call] });
  const [record] = recordsWith(geminiCli, document, (log) =>
    log.map((message) => (message.role === "user" ? { ...message, content: blocksOf(message).map((block) => ({ ...block, content: "[cut]" })) } : message)),
  );
  const result = [{ functionResponse: { id: "a", name: "look", response: { output: "[cut]" } } }];
  assert.deepEqual((record as { toolCalls: unknown }).toolCalls, [{ id: "a", name: "look", args: {}, result }]);
});
