import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import type { AiMessage, AiToolResult } from "./ai-message.ts";
import { aiSdk } from "./ai-sdk.ts";

const result = (more: object): object => ({ role: "tool", content: [{ type: "tool-result", toolCallId: "a", toolName: "read", ...more }] });
const says = (...content: unknown[]): object => ({ role: "assistant", content });

const MALFORMED: readonly (readonly [name: string, messages: unknown, path: string, expected: string])[] = [
  ["no array", "hello", "messages", "an array of model messages"],
  ["no message", [null], "messages.0", "a message { role, content }"],
  ["a role of another format", [{ role: "developer", content: "x" }], "messages.0.role", '"system", "user", "assistant" or "tool"'],
  ["no content", [{ role: "user" }], "messages.0.content", "a string or an array of parts"],
  ["a result as a string", [{ role: "tool", content: "42" }], "messages.0.content", "an array of parts"],
  ["a part without a type", [says({ text: "x" })], "messages.0.content.0", "a part with a type"],
  ["text without text", [says({ type: "text" })], "messages.0.content.0.text", "a string"],
  ["reasoning without text", [says({ type: "reasoning" })], "messages.0.content.0.text", "a string"],
  ["a call without an id", [says({ type: "tool-call", toolName: "read" })], "messages.0.content.0.toolCallId", "the id of the call"],
  ["a call without a name", [says({ type: "tool-call", toolCallId: "a" })], "messages.0.content.0.toolName", "the name of the tool"],
  [
    "an approval of nothing",
    [says({ type: "tool-approval-request", approvalId: "p" })],
    "messages.0.content.0.toolCallId",
    "the id of the call that it is about",
  ],
  ["an answer to nothing", [{ role: "tool", content: [{ type: "tool-approval-response" }] }], "messages.0.content.0.approvalId", "the id of the approval"],
  ["a result of the SDK before version 5", [result({ result: 42 })], "messages.0.content.0.output", "an output with a type"],
  ["text output that is no text", [result({ output: { type: "text", value: 42 } })], "messages.0.content.0.output.value", "a string"],
  ["a denial for no reason", [result({ output: { type: "execution-denied", reason: 42 } })], "messages.0.content.0.output.reason", "a string"],
  ["content that is no content", [result({ output: { type: "content", value: "x" } })], "messages.0.content.0.output.value", "an array of parts"],
  [
    "text in content that is no text",
    [result({ output: { type: "content", value: [{ type: "file" }, { type: "text" }] } })],
    "messages.0.content.0.output.value.1.text",
    "a string",
  ],
];

describe("what is no message of the AI SDK is refused with its path", () => {
  for (const [name, messages, path, expected] of MALFORMED) {
    test(name, () => {
      for (const read of [aiSdk.decode, aiSdk.check]) {
        assert.throws(
          () => read(messages as readonly AiMessage[]),
          (error) => PalimpsestError.isInstance(error) && error.code === "INVALID_INPUT" && error.data["path"] === path && error.data["expected"] === expected,
        );
      }
    });
  }

  test("a result that is none", () => {
    assert.throws(() => aiSdk.decodeResult({ type: "text", text: "x" } as unknown as AiToolResult, "result"), /result: expected a tool-result part/);
    assert.throws(
      () => aiSdk.decodeResult({ type: "tool-result", toolCallId: "a" } as AiToolResult, "result"),
      /result\.toolName: expected the name of the tool/,
    );
  });

  test("parts of a later version pass", () => {
    const messages = [says({ type: "part-of-next-year", payload: 7 })] as AiMessage[];
    assert.deepEqual(aiSdk.encode(aiSdk.decode(messages)), messages);
  });
});
