import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { MessageParam, ToolResultBlockParam } from "@anthropic-ai/sdk/resources/messages";
import type { ModelMessage, ToolResultPart } from "ai";
import type { ChatCompletionMessageParam, ChatCompletionToolMessageParam } from "openai/resources/chat/completions";
import { aiSdk } from "../src/formats/ai-sdk/ai-sdk.ts";
import { anthropic } from "../src/formats/anthropic/anthropic.ts";
import { forFormat } from "../src/formats/for-format.ts";
import { openaiChat } from "../src/formats/openai-chat/openai-chat.ts";
import { checkMessages, collapseToolChains, compactOldToolResults, compactThread, pruneMessages, render } from "../src/index.ts";

/**
 * The messages of an SDK go in as they are, and what comes out can be given to the SDK. That there is no cast in this file is
 * the test; what it asserts besides is small.
 */
const WINDOW = { strategy: "sliding-window", maxTurns: 1 } as const;
const BUDGET = { inputTokens: 1, inputTokenBudget: 1 } as const;

/** Stand for the SDKs' own functions, which take arrays that may be written to. */
const askAnthropic = (messages: MessageParam[]): number => messages.length;
const askOpenai = (messages: ChatCompletionMessageParam[]): number => messages.length;
const askAiSdk = (messages: ModelMessage[]): number => messages.length;

describe("types of the SDKs", () => {
  test("Anthropic's MessageParam[] goes in and comes out", async () => {
    const messages: MessageParam[] = [
      { role: "user", content: "Read it." },
      { role: "assistant", content: [{ type: "tool_use", id: "a", name: "read", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "x".repeat(100) }] },
    ];
    const result: ToolResultBlockParam = { type: "tool_result", tool_use_id: "a", content: "x".repeat(100) };
    const functions = forFormat(anthropic);
    assert.equal(askAnthropic(functions.pruneMessages(messages, WINDOW)), 3);
    assert.equal(askAnthropic(functions.collapseToolChains(messages, { collapseAfterTurns: 0 })), 3);
    assert.equal(askAnthropic(functions.compactOldToolResults(messages, BUDGET).messages), 3);
    assert.equal(askAnthropic(functions.compactThread(messages, [{ summary: "All of it." }])), 2);
    assert.equal(askAnthropic(functions.render(messages, [])), 3);
    assert.equal(askAnthropic(await functions.summarizeAndPrune(messages, WINDOW, () => Promise.resolve("Summary."))), 3);
    const shorter: ToolResultBlockParam = functions.compressToolResult(result, { maxToolResultTokens: 1 });
    assert.equal(shorter.content, "xxxx\n[truncated]");
    assert.deepEqual(functions.checkMessages(messages), []);
    assert.deepEqual(functions.checkpointsIn(messages), []);
    assert.equal(functions.report(messages, []).firstChanged, null);
  });

  test("the functions without a format take Anthropic's MessageParam[]", () => {
    const messages: MessageParam[] = [{ role: "user", content: [{ type: "text", text: "Read it." }] }];
    assert.equal(pruneMessages(messages, WINDOW).length, 1);
    assert.equal(collapseToolChains(messages, {}).length, 1);
    assert.equal(compactOldToolResults(messages, BUDGET).compacted, 0);
    assert.equal(compactThread(messages, [{ summary: "All of it." }]).length, 2);
    assert.equal(render(messages, []).length, 1);
    assert.deepEqual(checkMessages(messages), []);
  });

  test("OpenAI's ChatCompletionMessageParam[] goes in and comes out", async () => {
    const result: ChatCompletionToolMessageParam = { role: "tool", tool_call_id: "a", content: "x".repeat(100) };
    const messages: ChatCompletionMessageParam[] = [
      { role: "developer", content: "You are an agent." },
      { role: "user", content: "Read it." },
      { role: "assistant", content: null, tool_calls: [{ id: "a", type: "function", function: { name: "read", arguments: "{}" } }] },
      result,
    ];
    const functions = forFormat(openaiChat);
    assert.equal(askOpenai(functions.pruneMessages(messages, WINDOW)), 4);
    assert.equal(askOpenai(functions.collapseToolChains(messages, { collapseAfterTurns: 0 })), 4);
    assert.equal(askOpenai(functions.compactOldToolResults(messages, BUDGET).messages), 4);
    assert.equal(askOpenai(functions.compactThread(messages, [{ summary: "All of it." }])), 3);
    assert.equal(askOpenai(functions.render(messages, [])), 4);
    assert.equal(askOpenai(await functions.summarizeAndPrune(messages, WINDOW, () => Promise.resolve("Summary."))), 4);
    const shorter: ChatCompletionToolMessageParam = functions.compressToolResult(result, { maxToolResultTokens: 1 });
    assert.equal(shorter.content, "xxxx\n[truncated]");
    assert.deepEqual(functions.checkMessages(messages), []);
    assert.deepEqual(functions.checkpointsIn(messages), []);
    assert.equal(functions.report(messages, []).firstChanged, null);
  });

  test("the AI SDK's ModelMessage[] goes in and comes out", async () => {
    const result: ToolResultPart = { type: "tool-result", toolCallId: "a", toolName: "read", output: { type: "text", value: "x".repeat(100) } };
    const messages: ModelMessage[] = [
      { role: "user", content: "Read it." },
      { role: "assistant", content: [{ type: "tool-call", toolCallId: "a", toolName: "read", input: {} }] },
      { role: "tool", content: [result] },
    ];
    const functions = forFormat(aiSdk);
    assert.equal(askAiSdk(functions.pruneMessages(messages, WINDOW)), 3);
    assert.equal(askAiSdk(functions.collapseToolChains(messages, { collapseAfterTurns: 0 })), 3);
    assert.equal(askAiSdk(functions.compactOldToolResults(messages, BUDGET).messages), 3);
    assert.equal(askAiSdk(functions.compactThread(messages, [{ summary: "All of it." }])), 2);
    assert.equal(askAiSdk(functions.render(messages, [])), 3);
    assert.equal(askAiSdk(await functions.summarizeAndPrune(messages, WINDOW, () => Promise.resolve("Summary."))), 3);
    const shorter: ToolResultPart = functions.compressToolResult(result, { maxToolResultTokens: 1 });
    assert.deepEqual(shorter.output, { type: "text", value: "xxxx\n[truncated]" });
    assert.deepEqual(functions.checkMessages(messages), []);
    assert.deepEqual(functions.checkpointsIn(messages), []);
    assert.equal(functions.report(messages, []).firstChanged, null);
  });
});
