import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import type { FormatName } from "./codec.ts";
import { detectFormat } from "./detect-format.ts";

const user = { role: "user", content: "q" };
const assistant = (...parts: readonly object[]): object => ({ role: "assistant", content: parts });
const part = (type: string, more: object = {}): object => ({ type, ...more });

describe("each format is known by what only it has", () => {
  const CASES: readonly (readonly [what: string, format: FormatName | undefined, value: unknown])[] = [
    ["a call of Anthropic's", "anthropic", [user, assistant(part("tool_use", { id: "a", name: "f", input: {} }))]],
    ["a result of Anthropic's", "anthropic", [{ role: "user", content: [part("tool_result", { tool_use_id: "a" })] }]],
    ["thinking", "anthropic", [user, assistant(part("thinking", { thinking: "" }))]],
    ["a search of the provider", "anthropic", [user, assistant(part("web_search_tool_result", { tool_use_id: "a" }))]],
    ["an image of Anthropic's", "anthropic", [{ role: "user", content: [part("image", { source: { type: "base64" } })] }]],
    ["a whole response of Anthropic's", "anthropic", [user, { type: "message", role: "assistant", content: [part("text", { text: "t" }), part("tool_use")] }]],
    ["calls of the chat", "openai-chat", [user, { role: "assistant", content: null, tool_calls: [{ id: "a", function: { name: "f", arguments: "{}" } }] }]],
    ["a result of the chat", "openai-chat", [user, { role: "tool", tool_call_id: "a", content: "x" }]],
    ["an older result of the chat", "openai-chat", [user, { role: "function", name: "f", content: "x" }]],
    ["an image of the chat", "openai-chat", [{ role: "user", content: [part("image_url", { image_url: { url: "u" } })] }]],
    ["reasoning beside the content", "openai-chat", [user, { role: "assistant", content: "t", reasoning_content: "r" }]],
    ["a call among the items", "openai-responses", [user, part("function_call", { call_id: "a", name: "f", arguments: "{}" })]],
    ["an output among the items", "openai-responses", [part("function_call_output", { call_id: "a", output: "x" })]],
    ["parts of an item", "openai-responses", [{ role: "user", content: [part("input_text", { text: "q" })] }]],
    ["a typed message", "openai-responses", [part("message", { role: "user", content: "q" })]],
    ["a call of the AI SDK", "ai-sdk", [user, assistant(part("tool-call", { toolCallId: "a", toolName: "f", input: {} }))]],
    ["a result of the AI SDK", "ai-sdk", [{ role: "tool", content: [part("tool-result", { toolCallId: "a", toolName: "f", output: {} })] }]],
    ["options for a provider", "ai-sdk", [{ ...user, providerOptions: {} }]],
    ["an image of the AI SDK", "ai-sdk", [{ role: "user", content: [part("image", { image: "u" })] }]],
    ["text alone", "anthropic", [user, { role: "assistant", content: "a" }]],
    ["text alone, in parts", "anthropic", [{ role: "user", content: [part("text", { text: "q" })] }]],
    ["text after words of the system", "openai-chat", [{ role: "system", content: "s" }, user]],
    ["text after words of the developer", "openai-chat", [{ role: "developer", content: "s" }, user]],
    ["words of the system further on", "anthropic", [user, { role: "system", content: "s" }]],
    ["calls that are null", "anthropic", [user, { role: "assistant", content: "a", tool_calls: null }]],
    ["no message at all", "anthropic", []],
    ["a body with text", "anthropic", { model: "m", messages: [user] }],
    ["a body with words of the system", "anthropic", { system: "s", messages: [user] }],
    ["a body with tools of Anthropic's", "anthropic", { tools: [{ name: "f", input_schema: {} }], messages: [{ role: "system", content: "s" }, user] }],
    ["a body with tools of the chat", "openai-chat", { tools: [{ type: "function", function: { name: "f" } }], messages: [user] }],
    ["a body with items", "openai-responses", { input: [user] }],
    ["a body with one text", "openai-responses", { model: "m", input: "q" }],
    ["an object", undefined, { a: 1 }],
    ["an input that is none", undefined, { input: "q" }],
    ["a list of other things", undefined, [{ a: 1 }]],
    ["a list with an unknown role", undefined, [{ role: "narrator", content: "x" }]],
    ["a text", undefined, "q"],
    ["nothing", undefined, null],
  ];
  for (const [what, format, value] of CASES) test(`${what}: ${format ?? "none"}`, () => assert.equal(detectFormat(value), format));
});

describe("a mixture is refused, with both places", () => {
  const call = assistant(part("text", { text: "t" }), part("tool_use", { id: "a", name: "f", input: {} }));
  const CASES: readonly (readonly [value: unknown, expectedAt: string, place: string, found: FormatName])[] = [
    [[user, call, { role: "tool", tool_call_id: "a", content: "x" }], "messages.1.content.1", "messages.2.tool_call_id", "openai-chat"],
    [{ messages: [call, assistant(part("tool-call"))] }, "messages.0.content.1", "messages.1.content.0", "ai-sdk"],
    [[call, part("function_call_output", { call_id: "a", output: "x" })], "messages.0.content.1", "messages.1", "openai-responses"],
    [{ input: [call, part("reasoning")] }, "input.0.content.1", "input.1", "openai-responses"],
    [[{ ...call, tool_calls: [] }], "messages.0.content.1", "messages.0.tool_calls", "openai-chat"],
  ];
  for (const [value, expectedAt, place, found] of CASES) {
    test(`${expectedAt} and ${place}`, () => {
      assert.throws(
        () => detectFormat(value),
        (error: unknown) => {
          assert.ok(error instanceof PalimpsestError);
          assert.equal(error.code, "FORMAT_MISMATCH");
          assert.deepEqual(error.data, { expected: "anthropic", expectedAt, found, place });
          assert.match(error.message, new RegExp(`${expectedAt} is anthropic, ${place} is ${found}`));
          return true;
        },
      );
    });
  }
});
